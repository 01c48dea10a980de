// SwiGLU: silu(gate) * value, in bfloat16, with the tail of the array masked off by pointers.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

#include <cuda_bf16.h>

namespace ct = cuda::tiles;

constexpr int tile_size = 256;

__tile_global__ void swiglu(const __nv_bfloat16* gate, const __nv_bfloat16* value, __nv_bfloat16* out, int n) {
  auto i = static_cast<int>(ct::bid().x) * tile_size + ct::iota<ct::tile<int, ct::shape<tile_size>>>();
  auto inside = i < n;
  auto g = ct::element_cast<float>(ct::load_masked(gate + i, inside));
  auto v = ct::element_cast<float>(ct::load_masked(value + i, inside));
  auto silu = g / (1.0F + ct::exp(-g));
  ct::store_masked(out + i, ct::element_cast<__nv_bfloat16>(silu * v), inside);
}

int main() {
  const int n = 3000;
  auto gate = noise_array<__nv_bfloat16>(n, 1);
  const auto value = noise_array<__nv_bfloat16>(n, 2);
  for (auto& g : gate) {
    g = __nv_bfloat16(static_cast<float>(g) * 4.0F);
  }
  auto *dg = on_device(gate), *dv = on_device(value), *dout = zeros_on_device<__nv_bfloat16>(n);
  swiglu<<<(n + tile_size - 1) / tile_size, 1>>>(dg, dv, dout, n);
  std::vector<__nv_bfloat16> out(n);
  cudaMemcpy(out.data(), dout, n * sizeof(__nv_bfloat16), cudaMemcpyDeviceToHost);
  cudaFree(dg);
  cudaFree(dv);
  cudaFree(dout);

  std::vector<float> got(n);
  std::vector<double> want(n);
  for (int i = 0; i < n; ++i) {
    const double g = static_cast<float>(gate[i]);
    want[i] = g / (1 + std::exp(-g)) * static_cast<float>(value[i]);
    got[i] = static_cast<float>(out[i]);
  }
  return verdict("swiglu", got, want, 0, 0.005);
}
