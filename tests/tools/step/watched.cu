// Variables that change, in several blocks at once.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

namespace ct = cuda::tiles;

using numbers = ct::tile<int, ct::shape<4>>;

__tile__ int twice(const int* p) {
  int found = (int)ct::load(p);
  found = found + (int)ct::load(p);
  return found;
}

__tile_global__ void add_up(const int* in, int* out) {
  const int block = (int)ct::bid().x;
  numbers sum = ct::full<numbers>(0);
  int rounds = 0;
  for (int i = 0; i < 3; ++i) {
    auto row = ct::load(in + (block * 12 + i * 4 + ct::iota<numbers>()));
    sum = sum + row;
    rounds += twice(in + block + 1);
  }
  ct::store(out + block, (int)ct::sum(sum, ct::integral_constant<0>{}) + rounds);
}

int main() {
  int host[36];
  for (int i = 0; i < 36; ++i) {
    host[i] = i % 7;
  }
  int* in = nullptr;
  int* out = nullptr;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, 3 * sizeof(int));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  add_up<<<3, 1>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
