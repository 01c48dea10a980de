// What the programs of this folder share. Each checks its own result: exit status 1 if that is wrong.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda_runtime.h"
#include "cuda_tile.h"

#include <cstdio>
#include <cuda/atomic>
#include <vector>

namespace ct = cuda::tiles;

using shared = cuda::atomic_ref<int, cuda::thread_scope_device>;

/// Device memory that holds 0.
inline int* zeros(int n) {
  int* p = nullptr;
  cudaMalloc(&p, n * sizeof(int));
  cudaMemset(p, 0, n * sizeof(int));
  return p;
}

/// What it holds when all work is done; it is given back.
inline std::vector<int> taken(int* p, int n) {
  std::vector<int> values(n);
  cudaMemcpy(values.data(), p, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(p);
  return values;
}
