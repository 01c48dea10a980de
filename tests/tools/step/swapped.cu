// Two buffers that swap their roles, as an iteration's do: a kernel's parameter then points to the
// buffer that has the other parameter's name.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

namespace ct = cuda::tiles;

__tile_global__ void advance(const int* now, int* then) {
  auto i = ct::iota<ct::tile<int, ct::shape<8>>>();
  ct::store(then + i, ct::load(now + i) + 1);
}

int main() {
  int* now = nullptr;
  int* then = nullptr;
  cudaMalloc(&now, 8 * sizeof(int));
  cudaMalloc(&then, 8 * sizeof(int));
  cudaMemset(now, 0, 8 * sizeof(int));
  advance<<<1, 1>>>(now, then);
  advance<<<1, 1>>>(then, now);
  cudaDeviceSynchronize();
  cudaFree(now);
  cudaFree(then);
}
