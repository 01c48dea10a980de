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

} // namespace cuda::tiles::inline __1
