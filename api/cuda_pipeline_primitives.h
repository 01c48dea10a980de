// Asynchronous copies by single threads, which they commit in groups and wait for.
//
// [CUDA C++ Programming Guide: pipeline primitives interface] A copy is of 4, 8 or 16 bytes, to shared memory, the last
// `zfill` of them zeros. Arrivals on an mbarrier (__pipeline_arrive_on) are not simulated.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef _CUDA_PIPELINE_PRIMITIVES_H_
#define _CUDA_PIPELINE_PRIMITIVES_H_

#include <cuda_runtime.h>

#include <tilesim/detail/letters_begin.h>

#include <tilesim/detail/phases.hpp>

#include <cstddef>

TILESIM_API void __pipeline_memcpy_async(void* __restrict__ dst_shared,
                                         const void* __restrict__ src_global,
                                         size_t size_and_align,
                                         size_t zfill = 0) {
  alignas(16) const char zeros[16] = {}; // no more than a copy has
  const size_t copied = size_and_align - zfill;
  ::tilesim::detail::begin_copy();
  ::tilesim::detail::copy_share(dst_shared, src_global, copied, 0, 1);
  ::tilesim::detail::copy_share(static_cast<char*>(dst_shared) + copied, zeros, zfill, 0, 1);
  ::tilesim::detail::end_copy_of_group();
}

/// What the thread has copied since the last commit is a group.
TILESIM_API void __pipeline_commit() {
  ::tilesim::detail::commit_copies();
}

/// All groups but the newest `prior` are there.
TILESIM_API void __pipeline_wait_prior(size_t prior) {
  ::tilesim::detail::groups_awaited(prior);
}

#include <tilesim/detail/letters_end.h>

#endif
