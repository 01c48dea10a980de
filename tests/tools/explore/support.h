// What the programs of this folder share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda_runtime.h"
#include "cuda_tile.h"

#include <cstdio>
#include <cuda/atomic>
#include <vector>

namespace ct = cuda::tiles;

using shared = cuda::atomic_ref<int, cuda::thread_scope_device>;

inline constexpr auto relaxed = cuda::memory_order_relaxed;
inline constexpr auto acquire = cuda::memory_order_acquire;
inline constexpr auto release = cuda::memory_order_release;
inline constexpr auto acq_rel = cuda::memory_order_acq_rel;
inline constexpr auto seq_cst = cuda::memory_order_seq_cst;

/// Device memory that holds 0.
inline int* zeros(int n) {
  int* p = nullptr;
  cudaMalloc(&p, n * sizeof(int));
  cudaMemset(p, 0, n * sizeof(int));
  return p;
}

/// What it holds when all work is done.
inline std::vector<int> taken(const int* p, int n) {
  std::vector<int> values(n);
  cudaMemcpy(values.data(), p, n * sizeof(int), cudaMemcpyDeviceToHost);
  return values;
}
