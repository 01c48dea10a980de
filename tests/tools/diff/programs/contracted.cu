// A product and a sum that nvcc fuses unless told not to; and one that it does not, for the product is used again.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cuda_runtime.h>

namespace ct = cuda::tiles;

__tile_global__ void contracted(float* out, const float* in) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto x = ct::load(in + i);
  auto p = x * x;
  ct::store(out + i, p + 1.0f);
  ct::store(out + 64 + i, p);
  auto q = x * 3.0f;
  ct::store(out + 128 + i, q - x);
}

int main() {
  float *in, *out, host[64];
  for (int i = 0; i < 64; ++i) {
    host[i] = 0.1f * static_cast<float>(i + 1);
  }
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, 3 * sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  contracted<<<1, 1>>>(out, in);
  cudaDeviceSynchronize();
}
