// Exponentials, with the approximate mode: a GPU may give others.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cuda_runtime.h>

namespace ct = cuda::tiles;

__tile_global__ void grows(float* out, const float* in) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto x = ct::load(in + i);
  ct::store(out + i, ct::exp(x, ct::round_approximate_t{}));
}

int main() {
  float *in, *out, host[64];
  for (int i = 0; i < 64; ++i) {
    host[i] = static_cast<float>(i) / 8;
  }
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  grows<<<1, 1>>>(out, in);
  cudaDeviceSynchronize();
}
