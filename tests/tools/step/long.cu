// Millions of operations: one block counts as often as the first argument says, after another that is
// short.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstdio>
#include <cstdlib>

namespace ct = cuda::tiles;

__tile_global__ void count(int* cells, int rounds) {
  int block = (int)ct::bid().x;
  if (block == 0) {
    ct::store(cells + 1, 7);
    return;
  }
  for (int i = 0; i < rounds; ++i) {
    ct::store(cells, i);
  }
}

int main(int words, char** arguments) {
  const int rounds = words > 1 ? std::atoi(arguments[1]) : 1000;
  int* cells = nullptr;
  cudaMalloc(&cells, 2 * sizeof(int));
  cudaMemset(cells, 0, 2 * sizeof(int));
  count<<<2, 1>>>(cells, rounds);
  int last = 0;
  cudaMemcpy(&last, cells, sizeof last, cudaMemcpyDeviceToHost);
  std::printf("last %d\n", last);
  cudaFree(cells);
}
