// The yardstick for mma: c += a · b for 64x64 floats, blocked by hand for registers. Compiled with
// -O3 -march=native: the machine's widest vectors, products and sums fused.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace {

constexpr int n = 64;
#if defined(__AVX512F__)
constexpr int bytes = 64, rows = 8;
#elif defined(__AVX__)
constexpr int bytes = 32, rows = 4;
#else
constexpr int bytes = 16, rows = 4;
#endif
typedef float vector __attribute__((vector_size(bytes)));
typedef float unaligned __attribute__((vector_size(bytes), aligned(4), may_alias));
constexpr int lanes = bytes / sizeof(float);

// Rows of two vectors stay in registers while k runs.
[[gnu::noinline]] void add_product(const float* a, const float* b, float* c) {
  for (int i = 0; i < n; i += rows) {
    for (int j = 0; j < n; j += 2 * lanes) {
      vector sum[rows][2];
      for (int r = 0; r < rows; ++r) {
        const unaligned* from = reinterpret_cast<const unaligned*>(c + (i + r) * n + j);
        sum[r][0] = from[0];
        sum[r][1] = from[1];
      }
      for (int k = 0; k < n; ++k) {
        const unaligned* from = reinterpret_cast<const unaligned*>(b + k * n + j);
        const vector b0 = from[0], b1 = from[1];
#pragma GCC unroll 8
        for (int r = 0; r < rows; ++r) {
          sum[r][0] += a[(i + r) * n + k] * b0;
          sum[r][1] += a[(i + r) * n + k] * b1;
        }
      }
      for (int r = 0; r < rows; ++r) {
        unaligned* to = reinterpret_cast<unaligned*>(c + (i + r) * n + j);
        to[0] = sum[r][0];
        to[1] = sum[r][1];
      }
    }
  }
}

} // namespace

int main() {
  std::vector<float> a(n * n, 0.2f), b(n * n, 0.2f), c(n * n, 0.0f);
  constexpr int times = 1000;
  double best = 1e30;
  for (int i = 0; i < 10; ++i) {
    const auto start = std::chrono::steady_clock::now();
    for (int t = 0; t < times; ++t) {
      add_product(a.data(), b.data(), c.data());
    }
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count() / times);
  }
  std::printf("mma by_hand ns_per_product %.1f\n", best);
  return c[0] == 0;
}
