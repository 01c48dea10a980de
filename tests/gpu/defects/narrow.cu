// x / 3 in double; with DEFECT computed as float.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace ct = cuda::tiles;

using lanes = ct::tile<int, ct::shape<128>>;

__tile_global__ void third(const double* x, double* y) {
  auto i = ct::iota<lanes>();
#ifdef DEFECT
  ct::store(y + i, ct::element_cast<double>(ct::element_cast<float>(ct::load(x + i)) / 3.0f));
#else
  ct::store(y + i, ct::load(x + i) / 3.0);
#endif
}

int main() {
  std::vector<double> host(128);
  for (int i = 0; i < 128; ++i) {
    host[i] = i;
  }
  double *x, *y;
  cudaMalloc(&x, 128 * sizeof(double));
  cudaMalloc(&y, 128 * sizeof(double));
  cudaMemcpy(x, host.data(), 128 * sizeof(double), cudaMemcpyHostToDevice);
  third<<<1, 1>>>(x, y);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
