// A kernel whose last operation is the one that races: four blocks write one place.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

namespace ct = cuda::tiles;

__tile_global__ void last_line(int* out) {
  auto mine = ct::iota<ct::tile<int, ct::shape<4>>>() + static_cast<int>(ct::bid().x);
  ct::store_masked(out + ct::iota<ct::tile<int, ct::shape<4>>>(), mine, mine > 0);
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 4 * sizeof(int));
  last_line<<<4, 1>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
