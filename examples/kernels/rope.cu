// Rotary position embedding, in place: the two halves of each head's vector are turned by an angle that
// grows with the position and shrinks with the dimension.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

namespace ct = cuda::tiles;
using namespace ct::literals;

constexpr int half_size = 32; // a head has 64 elements
constexpr float log2_of_base = 13.287712F; // log2(10000)

// x: [positions, heads, 2, half_size]
__tile_global__ void rope(float* x, int positions, int heads) {
  const int position = ct::bid().x;
  const int head = ct::bid().y;
  ct::partition_view halves{ct::tensor_span{x, ct::extents{positions, heads, 2_ic, 32_ic}}, ct::shape<1, 1, 1, half_size>{}};
  auto k = ct::element_cast<float>(ct::iota<ct::tile<int, ct::shape<half_size>>>());
  auto frequency = ct::exp2(k * (-log2_of_base / half_size));
  auto angle = frequency * static_cast<float>(position);
  auto c = ct::cos(angle);
  auto s = ct::sin(angle);
  auto a = halves.load(position, head, 0, 0);
  auto b = halves.load(position, head, 1, 0);
  halves.store(a * c - b * s, position, head, 0, 0);
  halves.store(b * c + a * s, position, head, 1, 0);
}

int main() {
  const int positions = 48, heads = 4, size = 2 * half_size;
  const auto x = noise_array(positions * heads * size, 1);
  float* dx = on_device(x);
  rope<<<dim3(positions, heads), 1>>>(dx, positions, heads);
  std::vector<float> y(x.size());
  cudaMemcpy(y.data(), dx, y.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(dx);

  std::vector<double> want(x.size());
  for (int p = 0; p < positions; ++p) {
    for (int h = 0; h < heads; ++h) {
      const int at = (p * heads + h) * size;
      for (int k = 0; k < half_size; ++k) {
        const double angle = p * std::pow(10000.0, -static_cast<double>(k) / half_size);
        const double a = x[at + k], b = x[at + half_size + k];
        want[at + k] = a * std::cos(angle) - b * std::sin(angle);
        want[at + half_size + k] = b * std::cos(angle) + a * std::sin(angle);
      }
    }
  }
  // An angle of up to 48 carries the error of its frequency, some 4 ulp.
  return verdict("rope", y, want, 5e-5, 0);
}
