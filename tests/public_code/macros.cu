// A program's constants as macros, defined before the headers: those that NVIDIA's headers live with.
// (N, M, T and most other letters are names in theirs, too: such a program compiles nowhere.)
// SPDX-License-Identifier: Apache-2.0
#define K 64
#define P 2
#define W 4
#define X 1
#define Y 3
#define BM 16
#define BLOCK 128
#define Index 0

#include <cuda_tile.h>

#include <cstdio>

namespace ct = cuda::tiles;

__tile_global__ void fill(int* out) {
  const auto i = ct::iota<ct::tile<int, ct::shape<K>>>();
  ct::store(out + i, i * P + W + X + Y + BM + BLOCK + Index);
}

int main() {
  int* out = nullptr;
  cudaMallocManaged(&out, K * sizeof(int));
  fill<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < K; ++i) {
    wrong += out[i] != i * P + 152;
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(out);
  return wrong;
}
