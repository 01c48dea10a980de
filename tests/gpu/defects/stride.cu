// A transpose; with DEFECT the output has the strides of the input.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace ct = cuda::tiles;

constexpr int n = 64;
using column = ct::tile<int, ct::shape<n, 1>>;
using row = ct::tile<int, ct::shape<1, n>>;

__tile_global__ void transpose(const int* in, int* out) {
  auto r = ct::iota<column>();
  auto c = ct::iota<row>();
  auto values = ct::load(in + (r * n + c));
#ifdef DEFECT
  ct::store(out + (r * n + c), values);
#else
  ct::store(out + (c * n + r), values);
#endif
}

int main() {
  std::vector<int> host(n * n);
  for (int i = 0; i < n * n; ++i) {
    host[i] = i;
  }
  int *in, *out;
  cudaMalloc(&in, n * n * sizeof(int));
  cudaMalloc(&out, n * n * sizeof(int));
  cudaMemcpy(in, host.data(), n * n * sizeof(int), cudaMemcpyHostToDevice);
  transpose<<<1, 1>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
