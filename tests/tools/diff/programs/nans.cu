// Not-a-numbers: two are stored, of one the bits are taken.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cuda_runtime.h>

#include <limits>

namespace ct = cuda::tiles;

__tile_global__ void nans(float* out, int* bits, const float* in) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto x = ct::load(in + i);
  auto y = ct::select(x == std::numeric_limits<float>::infinity(), x - x, x + 1.0f);
  ct::store(out + i, y);
  ct::store(bits + i, ct::select(i == 63, ct::element_bitcast<int>(y) & 0, i - i));
}

int main() {
  float *in, *out, host[64];
  int* bits;
  for (int i = 0; i < 64; ++i) {
    host[i] = i < 62 ? static_cast<float>(i) / 8 : std::numeric_limits<float>::infinity();
  }
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMalloc(&bits, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  nans<<<1, 1>>>(out, bits, in);
  cudaDeviceSynchronize();
}
