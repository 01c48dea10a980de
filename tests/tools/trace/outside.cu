// The second block stores behind the end of its buffer.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

namespace ct = cuda::tiles;
using index_tile = ct::tile<int, ct::shape<16>>;

__tile_global__ void fill(int* out) {
  ct::store(out + (16 * static_cast<int>(ct::bid().x) + ct::iota<index_tile>()), ct::iota<index_tile>());
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 16 * sizeof(int));
  fill<<<2, 1>>>(out);
  cudaDeviceSynchronize();
}
