// Single letters are the user's: defined in front of the headers, and by -DNAME=3 for the others.
// SPDX-License-Identifier: Apache-2.0
#define N 4
#define T(x) \
  ((x) * 7)
#define LIMIT 4
#include "cuda_tile.h"
#include <cuda/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <tilesim/check.hpp>

#include <cstdio>

namespace ct = cuda::tiles;

__tile_global__ void k(int* x) {
  auto i = ct::iota<ct::tile<int, ct::shape<N>>>();
  ct::store(x + i, T(i) + A + ct::full<ct::tile<int, ct::shape<N>>>(Z));
}

#pragma push_macro("LIMIT")
#undef LIMIT
#define LIMIT 5
int five() {
  return LIMIT;
}
#pragma pop_macro("LIMIT")

int main() {
  int* x = nullptr;
  cudaMalloc(&x, N * sizeof(int));
  k<<<1, 1>>>(x);
  int h[N];
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(x);
  std::printf("%d %d %d %d\n", h[0], h[N - 1], five(), LIMIT);
}
