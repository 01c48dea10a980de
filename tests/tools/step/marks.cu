// What a step marks in what it shows: masked-out elements, unspecified ones, memory that nothing
// has written; and raw accesses, with what was there before.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

namespace ct = cuda::tiles;

using numbers = ct::tile<int, ct::shape<8>>;
using grid = ct::tile<float, ct::shape<4, 4>>;

__tile_global__ void masked(const int* in, int* out, float* matrix) {
  auto where = ct::iota<numbers>();
  auto mask = where < 5;
  auto open = ct::load_masked(in + where, mask);
  auto padded = ct::load_masked(in + where, mask, ct::full<numbers>(-1));
  ct::store_masked(out + where, padded, mask);
  auto row = ct::reshape(ct::iota<ct::tile<int, ct::shape<4>>>(), ct::shape<4, 1>{});
  auto column = ct::reshape(ct::iota<ct::tile<int, ct::shape<4>>>(), ct::shape<1, 4>{});
  auto part = ct::load_masked(matrix + (row * 4 + column), row > column);
  ct::store(out, (int)ct::sum(padded, ct::integral_constant<0>{}));
  ct::store_masked(matrix + (row * 4 + column), part + 1.0F, row > column);
}

__tile_global__ void by_hand(int* out, float* matrix) {
  out[6] = out[0] + 2;
  out[6] += 1;
  matrix[1] = 0.5F;
}

__global__ void threads(int* out) {
  out[threadIdx.x] = (int)threadIdx.x + 10;
  atomicAdd(out + 7, (int)threadIdx.x);
}

int main() {
  int host[8] = {7, 6, 5, 4, 3, 2, 1, 0};
  int* in = nullptr;
  int* out = nullptr;
  float* matrix = nullptr;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&matrix, 16 * sizeof(float));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(matrix + 4, 0, 12 * sizeof(float));
  masked<<<1, 1>>>(in, out, matrix);
  by_hand<<<1, 1>>>(out, matrix);
  cudaMemset(out + 7, 0, sizeof(int));
  threads<<<1, 2>>>(out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  cudaFree(matrix);
}
