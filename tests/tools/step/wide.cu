// Large tiles and views, as they are shown.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

namespace ct = cuda::tiles;

__tile_global__ void wide(float* out, int rows) {
  ct::partition_view to{ct::tensor_span{out, ct::extents{rows, 64}}, ct::shape<32, 64>{}};
  auto numbers = ct::element_cast<float>(ct::iota<ct::tile<int, ct::shape<2048>>>());
  auto matrix = ct::reshape(numbers * 0.125F, ct::shape<32, 64>{});
  auto row = ct::reshape(numbers, ct::shape<1, 2048>{});
  auto zeros = ct::zeros<ct::tile<float, ct::shape<32, 64>>>();
  to.store(matrix + zeros + ct::sum(row, ct::integral_constant<1>{}) * 0.0F, 0, 0);
}

int main() {
  float* out = nullptr;
  cudaMalloc(&out, 32 * 64 * sizeof(float));
  wide<<<1, 1>>>(out, 32);
  cudaDeviceSynchronize();
  cudaFree(out);
}
