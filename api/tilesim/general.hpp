// General operations: which block this is, and of how many.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

#include <vector_types.h>

namespace cuda::tiles::inline __1 {

/// The index of the running block in the grid.  [general operations: bid]
TILESIM_API uint3 bid() noexcept {
  const tilesim::machine::index3 b = tilesim::machine::get_tile_block_id();
  return uint3{b.x, b.y, b.z};
}

/// The number of blocks of the grid along each dimension.  [general operations: num_blocks]
TILESIM_API dim3 num_blocks() noexcept {
  const tilesim::machine::index3 n = tilesim::machine::get_num_tile_blocks();
  return dim3{n.x, n.y, n.z};
}

namespace detail {

// NVIDIA's internal names, which public programs call.

template <int Dim>
  requires(Dim >= 0 && Dim < 3)
TILESIM_API auto bid() noexcept {
  const auto b = tiles::bid();
  return Dim == 0 ? b.x : Dim == 1 ? b.y : b.z;
}

template <int Dim>
  requires(Dim >= 0 && Dim < 3)
TILESIM_API auto num_blocks() noexcept {
  const auto n = tiles::num_blocks();
  return Dim == 0 ? n.x : Dim == 1 ? n.y : n.z;
}

} // namespace detail
} // namespace cuda::tiles::inline __1
