// The variables behind threadIdx and its kin. sim/execution/execution.cpp writes them.
//
// SPDX-License-Identifier: Apache-2.0
#include <tilesim/detail/thread_index.hpp>

namespace tilesim::detail {

uint3 thread_index{};
uint3 block_index{};
dim3 block_dim{};
dim3 grid_dim{};

} // namespace tilesim::detail
