// A mean that plain C++ code computes on: a product and a sum that nvcc contracts unless told not
// to. SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cuda_runtime.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

__tile_global__ void scalars(float* out, const float* in) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  const float total = static_cast<float>(ct::sum(ct::load(in + i), 0_ic));
  const float mean = total / 64 * 3 + 1;
  out[0] = mean;
  ct::store(out + 1 + i, ct::load(in + i) - mean);
}

// With an argument: twice.
int main(int argc, char** /*argv*/) {
  float *in, *out, host[65];
  for (int i = 0; i < 64; ++i) {
    host[i] = 0.1f * static_cast<float>(i + 1);
  }
  cudaMalloc(&in, 64 * sizeof(float));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(in, host, 64 * sizeof(float), cudaMemcpyHostToDevice);
  for (int turn = 0; turn < argc; ++turn) {
    scalars<<<1, 1>>>(out, in);
    cudaDeviceSynchronize();
  }
}
