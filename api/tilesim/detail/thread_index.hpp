// Which thread runs: what threadIdx and its kin read.
//
// The scheduler writes these before it resumes a thread; sim/runtime/thread_index.cpp defines them.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>
#include <vector_types.h>

namespace tilesim::detail {

TILESIM_EXPORT extern uint3 thread_index;
TILESIM_EXPORT extern uint3 block_index;
TILESIM_EXPORT extern dim3 block_dim;
TILESIM_EXPORT extern dim3 grid_dim;

} // namespace tilesim::detail
