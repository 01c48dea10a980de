// Softmax of each row, without reductions: the row's maximum through an atomic, its sum through
// halving a tile until one element is left.
//
// exp is built from a polynomial here, so the example needs arithmetic alone.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cmath>
#include <cstdio>
#include <vector>

namespace ct = cuda::tiles;

constexpr int columns = 64;
using row = ct::tile<float, ct::shape<columns>>;
using row_index = ct::tile<int, ct::shape<columns>>;

// exp(x) for x <= 0: 2^k times a polynomial on [-ln2/2, ln2/2].
template <class T>
__tile__ auto exp_of_negative(T x) {
  auto clamped = ct::max(x, -87.0f);
  auto k = ct::element_cast<int>(clamped * 1.44269504f - 0.5f);
  auto f = clamped - ct::element_cast<float>(k) * 0.69314718f;
  auto p = 1.0f + f * (1.0f + f * (0.5f + f * (0.16666667f + f * (0.041666667f + f * 0.0083333333f))));
  auto scale = ct::element_bitcast<float>((k + 127) << 23);
  return p * scale;
}

// The sum of a tile's elements: fold the upper half onto the lower.
template <class T>
__tile__ float sum_of(T x) {
  constexpr unsigned n = T::shape_type::static_extent(0);
  if constexpr (n == 1) {
    return static_cast<float>(x);
  } else {
    using half_shape = ct::shape<n / 2>;
    return sum_of(ct::extract(x, half_shape{}, 0) + ct::extract(x, half_shape{}, 1));
  }
}

// Floats order like their bits, once the negative ones are turned round: so an integer maximum
// serves for floats. row_max starts at the least such number.
__tile_global__ void row_maximum(const float* in, int* row_max) {
  int r = ct::bid().x;
  row x = ct::load(in + r * columns + ct::iota<row_index>());
  auto bits = ct::element_bitcast<int>(x);
  auto ordered = ct::select(bits < 0, bits ^ 0x7fffffff, bits);
  auto same_place = ct::full<ct::tile<int*, ct::shape<columns>>>(row_max + r);
  ct::atomic_max<ct::memory_order::relaxed>(same_place, ordered);
}

__tile_global__ void softmax(const float* in, const int* row_max, float* out) {
  int r = ct::bid().x;
  int ordered = row_max[r];
  float maximum = ct::element_bitcast<float>(ordered < 0 ? ordered ^ 0x7fffffff : ordered);
  row x = ct::load(in + r * columns + ct::iota<row_index>());
  row e = exp_of_negative(x - maximum);
  float total = sum_of(e);
  ct::store(out + r * columns + ct::iota<row_index>(), e / total);
}

int main() {
  const int rows = 37;
  std::vector<float> in(rows * columns), out(rows * columns);
  for (int i = 0; i < rows * columns; ++i) {
    in[i] = static_cast<float>((i * 7919) % 1000) / 100.0f - 5.0f;
  }
  float *din = nullptr, *dout = nullptr;
  int* dmax = nullptr;
  cudaMalloc(&din, in.size() * sizeof(float));
  cudaMalloc(&dout, out.size() * sizeof(float));
  cudaMalloc(&dmax, rows * sizeof(int));
  cudaMemcpy(din, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(dmax, 0x80, rows * sizeof(int)); // every byte 0x80: far below any float's number

  row_maximum<<<rows, 1>>>(din, dmax);
  softmax<<<rows, 1>>>(din, dmax, dout);

  cudaMemcpy(out.data(), dout, out.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(din);
  cudaFree(dout);
  cudaFree(dmax);

  double worst = 0;
  for (int r = 0; r < rows; ++r) {
    const float* x = &in[r * columns];
    double maximum = x[0], total = 0;
    for (int c = 1; c < columns; ++c) {
      maximum = std::fmax(maximum, x[c]);
    }
    for (int c = 0; c < columns; ++c) {
      total += std::exp(x[c] - maximum);
    }
    for (int c = 0; c < columns; ++c) {
      const double want = std::exp(x[c] - maximum) / total;
      worst = std::fmax(worst, std::fabs(out[r * columns + c] - want) / want);
    }
  }
  std::printf("row_softmax: %d rows, %s\n", rows, worst < 1e-5 ? "right" : "wrong");
  return worst < 1e-5 ? 0 : 1;
}
