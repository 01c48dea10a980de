// One block stores, the other loads, and nothing orders them.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

namespace ct = cuda::tiles;
using index_tile = ct::tile<int, ct::shape<16>>;

__tile_global__ void race(int* x, int* out) {
  if (ct::bid().x == 0) {
    ct::store(x + ct::iota<index_tile>(), ct::iota<index_tile>());
  } else {
    auto got = ct::load(x + ct::iota<index_tile>());
    ct::store(out + ct::iota<index_tile>(), got);
  }
}

int main() {
  int *x = nullptr, *out = nullptr;
  cudaMalloc(&x, 16 * sizeof(int));
  cudaMalloc(&out, 16 * sizeof(int));
  cudaMemset(x, 0, 16 * sizeof(int));
  race<<<2, 1>>>(x, out);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(out);
}
