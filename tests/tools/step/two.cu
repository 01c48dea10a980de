// Several findings in one schedule: an overflow, races of three pairs of lines, a leak.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <climits>

namespace ct = cuda::tiles;

__tile_global__ void race(int* p) {
  int block = (int)ct::bid().x;
  auto most = ct::full<ct::tile<int, ct::shape<2>>>(INT_MAX - 1);
  auto sum = most + block;
  ct::store(p, block);
  ct::store(p + 1, block);
  int seen = (int)ct::load(p + 2);
  ct::store(p + 2, seen + 1);
  static_cast<void>(sum);
}

int main() {
  int* p = nullptr;
  cudaMalloc(&p, 4 * sizeof(int));
  cudaMemset(p, 0, 4 * sizeof(int));
  race<<<4, 1>>>(p);
  cudaDeviceSynchronize();
}
