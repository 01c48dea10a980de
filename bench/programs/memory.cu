// Peak memory of a program whose arrays dominate: two of 256 MiB.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstdio>
#include <sys/resource.h>

namespace ct = cuda::tiles;

constexpr int tile_size = 1024;

__tile_global__ void add_one(const float* x, float* y) {
  int block = ct::bid().x;
  auto i = block * tile_size + ct::iota<ct::tile<int, ct::shape<tile_size>>>();
  ct::store(y + i, ct::load(x + i) + 1.0f);
}

int main() {
  const std::size_t n = std::size_t{64} << 20;
  float *x = nullptr, *y = nullptr;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  add_one<<<static_cast<unsigned>(n / tile_size), 1>>>(x, y);
  float last = 0;
  cudaMemcpy(&last, y + n - 1, sizeof(float), cudaMemcpyDeviceToHost);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("memory arrays mebibytes %.0f\n", 2.0 * n * sizeof(float) / (1 << 20));
  std::printf("memory peak mebibytes %.0f\n", usage.ru_maxrss / 1024.0);
  return last == 1.0f ? 0 : 1;
}
