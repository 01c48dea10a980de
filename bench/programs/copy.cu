// Copies 4096 x 4096 floats tile by tile through partition views, beside memcpy of the same bytes.
//
// Prints nanoseconds per element for bench/run.py.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

namespace ct = cuda::tiles;

constexpr int n = 4096;

template <int Side>
__tile_global__ void copy(const float* from, float* to) {
  const ct::extents whole{n, n};
  ct::partition_view in{ct::tensor_span{from, whole}, ct::shape<Side, Side>{}};
  ct::partition_view out{ct::tensor_span{to, whole}, ct::shape<Side, Side>{}};
  const int row = ct::bid().y, column = ct::bid().x;
  out.store(in.load(row, column), row, column);
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
  return best / (double{n} * n);
}

template <int Side>
bool measure(const float* from, float* to, const std::vector<float>& expected) {
  const double took = best_nanoseconds([&] {
    copy<Side><<<dim3(n / Side, n / Side), 1>>>(from, to);
    cudaDeviceSynchronize();
  });
  std::printf("copy %dx%d ns_per_element %.4f\n", Side, Side, took);
  std::vector<float> got(expected.size());
  cudaMemcpy(got.data(), to, got.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemset(to, 0, got.size() * sizeof(float));
  return got == expected;
}

int main() {
  const std::size_t count = std::size_t{n} * n;
  std::vector<float> host(count), other(count);
  for (std::size_t i = 0; i < count; ++i) {
    host[i] = static_cast<float>(i % 8191);
  }
  float *from = nullptr, *to = nullptr;
  cudaMalloc(&from, count * sizeof(float));
  cudaMalloc(&to, count * sizeof(float));
  cudaMemcpy(from, host.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(to, 0, count * sizeof(float));
  const double by_hand =
      best_nanoseconds([&] { std::memcpy(other.data(), host.data(), count * sizeof(float)); });
  std::printf("copy memcpy ns_per_element %.4f\n", by_hand);
  const bool right =
      measure<32>(from, to, host) && measure<64>(from, to, host) && measure<128>(from, to, host);
  cudaFree(from);
  cudaFree(to);
  if (!right || other != host) {
    std::fprintf(stderr, "copy: a copy differs\n");
    return 1;
  }
}
