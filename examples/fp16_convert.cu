// float to half and back on the device, against the host's conversions.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_fp16.h"
#include "cuda_tile.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

namespace ct = cuda::tiles;

constexpr int tile_size = 256;
using index_tile = ct::tile<int, ct::shape<tile_size>>;

__tile_global__ void convert(const float* in, __half* halves, float* back) {
  int block = ct::bid().x;
  auto i = block * tile_size + ct::iota<index_tile>();
  auto h = ct::element_cast<__half>(ct::load(in + i));
  ct::store(halves + i, h);
  ct::store(back + i, h * h); // half arithmetic, then widened by the store
}

int main() {
  const int n = 16 * tile_size;
  std::vector<float> in(n), back(n);
  std::vector<__half> halves(n);
  for (int i = 0; i < n; ++i) {
    in[i] = std::ldexp(1.0f + static_cast<float>(i % 97) / 96.7f, i % 40 - 26) * (i % 2 ? -1.0f : 1.0f);
  }
  float *din = nullptr, *dback = nullptr;
  __half* dhalves = nullptr;
  cudaMalloc(&din, n * sizeof(float));
  cudaMalloc(&dback, n * sizeof(float));
  cudaMalloc(&dhalves, n * sizeof(__half));
  cudaMemcpy(din, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);

  convert<<<n / tile_size, 1>>>(din, dhalves, dback);

  cudaMemcpy(halves.data(), dhalves, n * sizeof(__half), cudaMemcpyDeviceToHost);
  cudaMemcpy(back.data(), dback, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(din);
  cudaFree(dback);
  cudaFree(dhalves);
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    const __half want = __float2half(in[i]);
    const float square = __half2float(__float2half(__half2float(want) * __half2float(want)));
    wrong += std::memcmp(&halves[i], &want, sizeof(want)) != 0;
    wrong += back[i] != square;
  }
  std::printf("fp16_convert: %d values, %d wrong\n", n, wrong);
  return wrong == 0 ? 0 : 1;
}
