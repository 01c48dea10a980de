// threadIdx, blockIdx, blockDim, gridDim, warpSize: as `__global__` code spells them.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include <tilesim/detail/letters_begin.h>

#include <tilesim/detail/thread_index.hpp>

[[maybe_unused]] static const uint3& threadIdx = ::tilesim::detail::thread_index;
[[maybe_unused]] static const uint3& blockIdx = ::tilesim::detail::block_index;
[[maybe_unused]] static const dim3& blockDim = ::tilesim::detail::block_dim;
[[maybe_unused]] static const dim3& gridDim = ::tilesim::detail::grid_dim;
[[maybe_unused]] static constexpr int warpSize = 32;

#include <tilesim/detail/letters_end.h>

#endif
