// Blocks that compute for ever, without an access of memory that others have.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

namespace ct = cuda::tiles;

__tile_global__ void never_ends(int* out) {
  int n = 0;
  for (;;) {
    const auto v = ct::full<ct::tile<int, ct::shape<16>>>(n++ % 100);
    if (ct::sum(v, ct::integral_constant<0>{}) == -1)
      break;
  }
  ct::store(out, 1);
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, sizeof(int));
  never_ends<<<2, 1>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
