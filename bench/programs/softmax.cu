// Nanoseconds per element of a row softmax of 4096 x 1024 floats, beside the same loops written by hand.
// Prints one line per measurement for bench/run.py.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

namespace ct = cuda::tiles;
using namespace ct::literals;

constexpr int rows = 4096, columns = 1024;

__tile_global__ void softmax(const float* in, float* out) {
  ct::partition_view from{ct::tensor_span{in, ct::extents{4096_ic, 1024_ic}}, ct::shape<1, columns>{}};
  ct::partition_view to{ct::tensor_span{out, ct::extents{4096_ic, 1024_ic}}, ct::shape<1, columns>{}};
  const int row = ct::bid().x;
  auto x = from.load(row, 0);
  auto e = ct::exp(x - ct::reduce_max(x, 1_ic));
  to.store(e / ct::sum(e, 1_ic), row, 0);
}

#if defined(__GNUC__) && !defined(__clang__)
__attribute__((optimize("O3"), noinline))
#else
__attribute__((noinline))
#endif
void softmax_by_hand(const float* in, float* out) {
  for (int r = 0; r < rows; ++r) {
    const float* x = in + r * columns;
    float* y = out + r * columns;
    float greatest = x[0];
    for (int c = 1; c < columns; ++c) {
      greatest = x[c] > greatest ? x[c] : greatest;
    }
    float total = 0;
    for (int c = 0; c < columns; ++c) {
      y[c] = std::exp(x[c] - greatest);
      total += y[c];
    }
    for (int c = 0; c < columns; ++c) {
      y[c] /= total;
    }
  }
}

template <class F>
double best_nanoseconds(F f) {
  double best = 1e30;
  for (int i = 0; i < 7; ++i) {
    const auto start = std::chrono::steady_clock::now();
    f();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  return best;
}

int main() {
  const std::size_t count = std::size_t{rows} * columns;
  std::vector<float> in(count), by_hand(count), out(count);
  for (std::size_t i = 0; i < count; ++i) {
    in[i] = static_cast<float>((i * 7919) % 2003) / 200.0F - 5.0F;
  }
  float *din = nullptr, *dout = nullptr;
  cudaMalloc(&din, count * sizeof(float));
  cudaMalloc(&dout, count * sizeof(float));
  cudaMemcpy(din, in.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  const double tiles = best_nanoseconds([&] {
    softmax<<<rows, 1>>>(din, dout);
    cudaDeviceSynchronize();
  });
  const double hand = best_nanoseconds([&] { softmax_by_hand(in.data(), by_hand.data()); });
  cudaMemcpy(out.data(), dout, count * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(din);
  cudaFree(dout);
  for (std::size_t i = 0; i < count; ++i) {
    if (!(std::fabs(out[i] - by_hand[i]) <= 2e-5F * by_hand[i])) {
      std::fprintf(stderr, "softmax: element %zu is %g, by hand %g\n", i, out[i], by_hand[i]);
      return 1;
    }
  }
  std::printf("softmax tiles ns_per_element %.3f\n", tiles / static_cast<double>(count));
  std::printf("softmax by_hand ns_per_element %.3f\n", hand / static_cast<double>(count));
}
