// Exact values that have the bytes of values that may be off: of a sum that happens to be zero, of a padding, of exp(0).
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cmath>
#include <cstring>
#include <cuda_runtime.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

using row = ct::tile<int, ct::shape<64>>;

__tile_global__ void zeros(float* out, const float* in) { // 48 numbers, whose sum is zero
  auto i = ct::iota<row>();
  auto v = ct::load_masked(in + i, i < 48, 0.0f);
  auto total = ct::reshape<ct::shape<1>>(ct::sum(v, 0_ic));
  ct::store(out + i, v - total);
  ct::store(out + 64 + i, v);
  ct::store(out + 128 + i, ct::full<ct::tile<float, ct::shape<64>>>(0.0f));
}

__tile_global__ void ones(float* out, const float* in) {
  auto i = ct::iota<row>();
  ct::store(out + i, ct::exp(ct::load(in + i)));
  ct::store(out + 64 + i, ct::full<ct::tile<float, ct::shape<64>>>(1.0f));
}

__global__ void of_threads(float* out, const float* in) {
  const unsigned i = threadIdx.x;
  out[i] = std::exp(in[i]);
  out[64 + i] = 1.0f;
}

int main(int, char** arguments) {
  float *in, *out, host[64] = {};
  const bool sums = std::strcmp(arguments[1], "zeros") == 0;
  for (int i = 0; i < 48 && sums; ++i) {
    host[i] = (i % 2 == 0 ? 1e7f : -1e7f) * static_cast<float>((i / 2) + 1);
  }
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, 3 * sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, 3 * sizeof(host));
  if (sums) {
    zeros<<<1, 1>>>(out, in);
  } else if (std::strcmp(arguments[1], "ones") == 0) {
    ones<<<1, 1>>>(out, in);
  } else {
    of_threads<<<1, 64>>>(out, in);
  }
  cudaDeviceSynchronize();
}
