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
  constexpr size_t word = 4;
  auto* const to = static_cast<unsigned*>(dst_shared);
  const auto* const from = static_cast<const unsigned*>(src_global);
  ::tilesim::detail::begin_copy();
  if ((size_and_align == word || size_and_align == 2 * word || size_and_align == 4 * word) && zfill % word == 0) {
    for (size_t i = 0; i < size_and_align / word; ++i) {
      to[i] = i < (size_and_align - zfill) / word ? from[i] : 0;
    }
  } else {
    for (size_t i = 0; i < size_and_align; ++i) {
      static_cast<char*>(dst_shared)[i] = i < size_and_align - zfill ? static_cast<const char*>(src_global)[i] : char{};
    }
  }
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
