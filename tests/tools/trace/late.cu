// Blocks that compute for long, then blocks that race, then one that stores outside.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

namespace ct = cuda::tiles;
using index_tile = ct::tile<int, ct::shape<16>>;

__tile_global__ void compute(int* out) {
  const auto at = out + (16 * static_cast<int>(ct::bid().x) + ct::iota<index_tile>());
  auto v = ct::load(at);
  for (int i = 0; i < 100; ++i) {
    v = v + 1;
  }
  ct::store(at, v);
}

__tile_global__ void race(int* out) {
  const auto at = out + ct::iota<index_tile>();
  ct::store(at, ct::load(at) + 1);
}

__tile_global__ void outside(int* out) {
  ct::store(out + (64 + ct::iota<index_tile>()), ct::iota<index_tile>());
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(out, 0, 64 * sizeof(int));
  compute<<<4, 1>>>(out);
  race<<<2, 1>>>(out);
  compute<<<4, 1>>>(out);
  outside<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
