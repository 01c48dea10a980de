// y = a * x + y over a million floats: pointer tiles with a masked tail.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace ct = cuda::tiles;

constexpr int tile_size = 1024;
using index_tile = ct::tile<int, ct::shape<tile_size>>;

__tile_global__ void saxpy(int n, float a, const float* x, float* y) {
  int first = ct::bid().x * tile_size;
  index_tile i = first + ct::iota<index_tile>();
  auto inside = i < n;
  auto xs = ct::load_masked(x + i, inside, 0.0f);
  auto ys = ct::load_masked(y + i, inside, 0.0f);
  ct::store_masked(y + i, a * xs + ys, inside);
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1'000'000;
  const float a = 2.0f;
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i % 1000);
    y[i] = 1.0f;
  }
  const std::size_t bytes = n * sizeof(float);
  float* dx = nullptr;
  float* dy = nullptr;
  cudaMalloc(&dx, bytes);
  cudaMalloc(&dy, bytes);
  cudaMemcpy(dx, x.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(dy, y.data(), bytes, cudaMemcpyHostToDevice);

  saxpy<<<(n + tile_size - 1) / tile_size, 1>>>(n, a, dx, dy);

  cudaMemcpy(y.data(), dy, bytes, cudaMemcpyDeviceToHost);
  if (cudaError_t error = cudaGetLastError(); error != cudaSuccess) {
    std::printf("CUDA error: %s\n", cudaGetErrorString(error));
    return 1;
  }
  cudaFree(dx);
  cudaFree(dy);

  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    wrong += y[i] != a * static_cast<float>(i % 1000) + 1.0f; // exact in float
  }
  std::printf("saxpy: %d elements, y[1] = %g, y[999] = %g, %d wrong\n", n, y[1], y[999], wrong);
  return wrong == 0 ? 0 : 1;
}
