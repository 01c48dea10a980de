// A kernel of a hundred tile operations, to time compilers with.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstdio>

namespace ct = cuda::tiles;
using namespace ct::literals;

constexpr int size = 32;
using matrix = ct::shape<size, size>;

// One function in spite of its length: a hundred operations are what is timed.
// 4 loads, 24 rounds of 4 operations, 2 stores: 102 operations of several kinds and types.
__tile_global__ void hundred(const float* a, const float* b, const int* c, float* out, int* out_index, int n) {
  ct::partition_view as{ct::tensor_span{a, ct::extents{n, n}}, matrix{}};
  ct::partition_view bs{ct::tensor_span{b, ct::extents{n, n}}, matrix{}};
  ct::partition_view cs{ct::tensor_span{c, ct::extents{n, n}}, matrix{}};
  ct::partition_view outs{ct::tensor_span{out, ct::extents{n, n}}, matrix{}};
  const int i = ct::bid().x;
  const int j = ct::bid().y;
  auto x = as.load_masked(i, j);
  auto y = bs.load_masked(i, j);
  auto k = cs.load_masked(i, j);
  auto lane = ct::iota<ct::tile<int, ct::shape<size>>>();
  x = x + y;
  y = y * 0.5f;
  x = ct::max(x, -y);
  y = ct::exp(y - x);
  auto m1 = ct::reduce_max(x, 1_ic);
  x = x - m1;
  auto s1 = ct::sum(x * x, 1_ic);
  x = x * ct::rsqrt(s1 + 1.0f);
  k = k + lane;
  k = k & 1023;
  auto p2 = k < 500;
  x = ct::select(p2, x, y);
  y = ct::transpose(y);
  x = ct::mma(x, y, x);
  auto h3 = ct::element_cast<short>(k);
  k = ct::element_cast<int>(h3 >> short(1));
  auto f4 = ct::element_cast<float>(k);
  x = ct::fma(x, y, f4);
  y = ct::sqrt(ct::abs(y));
  x = x / (1.0f + y);
  auto c5 = ct::cos(y);
  auto d5 = ct::sin(x);
  x = x * c5 - y * d5;
  y = ct::min(x, c5);
  x = x + y;
  y = y * 0.5f;
  x = ct::max(x, -y);
  y = ct::exp(y - x);
  auto m7 = ct::reduce_max(x, 1_ic);
  x = x - m7;
  auto s7 = ct::sum(x * x, 1_ic);
  x = x * ct::rsqrt(s7 + 1.0f);
  k = k + lane;
  k = k & 1023;
  auto p8 = k < 500;
  x = ct::select(p8, x, y);
  y = ct::transpose(y);
  x = ct::mma(x, y, x);
  auto h9 = ct::element_cast<short>(k);
  k = ct::element_cast<int>(h9 >> short(1));
  auto f10 = ct::element_cast<float>(k);
  x = ct::fma(x, y, f10);
  y = ct::sqrt(ct::abs(y));
  x = x / (1.0f + y);
  auto c11 = ct::cos(y);
  auto d11 = ct::sin(x);
  x = x * c11 - y * d11;
  y = ct::min(x, c11);
  x = x + y;
  y = y * 0.5f;
  x = ct::max(x, -y);
  y = ct::exp(y - x);
  auto m13 = ct::reduce_max(x, 1_ic);
  x = x - m13;
  auto s13 = ct::sum(x * x, 1_ic);
  x = x * ct::rsqrt(s13 + 1.0f);
  k = k + lane;
  k = k & 1023;
  auto p14 = k < 500;
  x = ct::select(p14, x, y);
  y = ct::transpose(y);
  x = ct::mma(x, y, x);
  auto h15 = ct::element_cast<short>(k);
  k = ct::element_cast<int>(h15 >> short(1));
  auto f16 = ct::element_cast<float>(k);
  x = ct::fma(x, y, f16);
  y = ct::sqrt(ct::abs(y));
  x = x / (1.0f + y);
  auto c17 = ct::cos(y);
  auto d17 = ct::sin(x);
  x = x * c17 - y * d17;
  y = ct::min(x, c17);
  x = x + y;
  y = y * 0.5f;
  x = ct::max(x, -y);
  y = ct::exp(y - x);
  auto m19 = ct::reduce_max(x, 1_ic);
  x = x - m19;
  auto s19 = ct::sum(x * x, 1_ic);
  x = x * ct::rsqrt(s19 + 1.0f);
  k = k + lane;
  k = k & 1023;
  auto p20 = k < 500;
  x = ct::select(p20, x, y);
  y = ct::transpose(y);
  x = ct::mma(x, y, x);
  auto h21 = ct::element_cast<short>(k);
  k = ct::element_cast<int>(h21 >> short(1));
  auto f22 = ct::element_cast<float>(k);
  x = ct::fma(x, y, f22);
  y = ct::sqrt(ct::abs(y));
  x = x / (1.0f + y);
  auto c23 = ct::cos(y);
  auto d23 = ct::sin(x);
  x = x * c23 - y * d23;
  y = ct::min(x, c23);
  outs.store_masked(x, i, j);
  ct::store(out_index + lane, ct::reshape(ct::reduce_max(k, 0_ic), ct::shape<size>{}));
}

int main() {
  float *a = nullptr, *out = nullptr;
  int *c = nullptr, *out_index = nullptr;
  cudaMalloc(&a, size * size * sizeof(float));
  cudaMalloc(&out, size * size * sizeof(float));
  cudaMalloc(&c, size * size * sizeof(int));
  cudaMalloc(&out_index, size * sizeof(int));
  cudaMemset(a, 0, size * size * sizeof(float));
  cudaMemset(c, 0, size * size * sizeof(int));
  hundred<<<1, 1>>>(a, a, c, out, out_index, size);
  int first = -1;
  cudaMemcpy(&first, out_index, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("hundred: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
