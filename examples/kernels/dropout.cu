// Dropout with a counter-based generator: whether element i is kept is a hash of seed and i, in 32-bit
// unsigned arithmetic that wraps, so every machine drops the same elements.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

namespace ct = cuda::tiles;

constexpr int tile_size = 512;

template <class T>
__tile__ T hashed(T x) {
  x = x ^ (x >> 16);
  x = x * 0x7feb352dU;
  x = x ^ (x >> 15);
  x = x * 0x846ca68bU;
  return x ^ (x >> 16);
}

__tile_global__ void dropout(const float* in, float* out, int n, unsigned seed, unsigned keep_below, float scale) {
  auto i = static_cast<int>(ct::bid().x) * tile_size + ct::iota<ct::tile<int, ct::shape<tile_size>>>();
  auto inside = i < n;
  auto keep = hashed(hashed(ct::element_cast<unsigned>(i)) ^ seed) < keep_below;
  auto x = ct::load_masked(in + i, inside, 0.0F);
  ct::store_masked(out + i, ct::select(keep, x * scale, ct::zeros<ct::tile<float, ct::shape<tile_size>>>()), inside);
}

std::uint32_t hashed_on_host(std::uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  return x ^ (x >> 16);
}

int main() {
  const int n = 5000;
  const unsigned seed = 42, keep_below = 3U << 30; // three of four
  const auto in = noise_array(n, 1);
  float *din = on_device(in), *dout = zeros_on_device<float>(n);
  dropout<<<(n + tile_size - 1) / tile_size, 1>>>(din, dout, n, seed, keep_below, 1.25F);
  std::vector<float> out(n);
  cudaMemcpy(out.data(), dout, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(din);
  cudaFree(dout);

  std::vector<double> want(n);
  for (int i = 0; i < n; ++i) {
    const bool keep = hashed_on_host(hashed_on_host(i) ^ seed) < keep_below;
    want[i] = keep ? in[i] * 1.25 : 0; // exact: noise has 8 bits
  }
  return verdict("dropout", out, want, 0, 0);
}
