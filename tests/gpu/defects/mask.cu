// y = a * x + y with a masked tail; with DEFECT the mask ends too early.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace ct = cuda::tiles;

using lanes = ct::tile<int, ct::shape<256>>;

#ifdef DEFECT
constexpr int short_by = 1;
#else
constexpr int short_by = 0;
#endif

__tile_global__ void saxpy(int n, float a, const float* x, float* y) {
  auto i = static_cast<int>(ct::bid().x) * 256 + ct::iota<lanes>();
  auto inside = i < n - short_by;
  auto sum = a * ct::load_masked(x + i, inside, 0.0f) + ct::load_masked(y + i, inside, 0.0f);
  ct::store_masked(y + i, sum, inside);
}

int main() {
  const int n = 1000;
  std::vector<float> host(n);
  for (int i = 0; i < n; ++i) {
    host[i] = static_cast<float>(i);
  }
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemcpy(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(y, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  saxpy<<<4, 1>>>(n, 2.0f, x, y);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
