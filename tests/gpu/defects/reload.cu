// An update in place whose old value is used in another shape: a compiler loads it again.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace ct = cuda::tiles;

using column = ct::tile<int, ct::shape<64, 1>>;
using row = ct::tile<int, ct::shape<1, 32>>;

__tile_global__ void reload(float* t, float* o) {
  auto r = ct::iota<column>();
  auto c = ct::iota<row>();
  auto i = r * 32 + c;
  auto old = ct::load(t + r);
  ct::store(t + r, old + 1.0f);
  ct::store(o + i, ct::load(o + i) + old); // the value before the store above
}

int main() {
  std::vector<float> host(64 * 32);
  for (int i = 0; i < 64 * 32; ++i) {
    host[i] = static_cast<float>(i);
  }
  float *t, *o;
  cudaMalloc(&t, 64 * sizeof(float));
  cudaMalloc(&o, host.size() * sizeof(float));
  cudaMemcpy(t, host.data(), 64 * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(o, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
  reload<<<1, 1>>>(t, o);
  cudaDeviceSynchronize();
  cudaFree(t);
  cudaFree(o);
}
