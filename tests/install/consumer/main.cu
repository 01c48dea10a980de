// A consumer's program: doubles eight numbers.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_tile.h>

#include <cstdio>

namespace ct = cuda::tiles;

__tile_global__ void twice(int* p) {
  auto ptrs = p + ct::iota<ct::tile<int, ct::shape<8>>>();
  ct::store(ptrs, 2 * ct::load(ptrs));
}

int main() {
  int h[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  int* d = nullptr;
  cudaMalloc(&d, sizeof(h));
  cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
  twice<<<1, 1>>>(d);
  cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
  cudaFree(d);
  std::printf("%d\n", h[7]);
  return h[7] == 16 ? 0 : 1;
}
