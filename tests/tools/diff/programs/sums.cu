// A sum whose order is open, a choice that its error may turn, and one that it may not.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cuda_runtime.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

using tile = ct::tile<float, ct::shape<64>>;

__tile_global__ void sums(float* out, const float* in, float limit) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto total = ct::broadcast(ct::sum(ct::load(in + i), 0_ic), ct::shape<64>{});
  auto above = total > limit;
  auto chosen = ct::select(above, ct::full<tile>(1.0f), ct::full<tile>(2.0f));
  ct::store(out + i, ct::select(i < 32, total, chosen));
}

int main(int count, char**) {
  float *in, *out, host[64];
  for (int i = 0; i < 64; ++i) {
    host[i] = 0.1f * static_cast<float>(i + 1);
  }
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  sums<<<1, 1>>>(out, in, count > 1 ? 208.0f : 100.0f);
  cudaDeviceSynchronize();
}
