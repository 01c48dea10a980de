// Host code of a program: a matrix product, as people write to check a kernel.
//
// bench/run.py compiles it through tilesim and, without the include, plainly.
// SPDX-License-Identifier: Apache-2.0
#ifdef TILESIM
#include "cuda_tile.h"
#endif

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

int main() {
  const int n = 384;
  std::vector<float> a(n * n, 1.5f), b(n * n, 0.25f), c(n * n);
  double best = 1e30;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        float sum = 0;
        for (int k = 0; k < n; ++k) {
          sum += a[i * n + k] * b[k * n + j];
        }
        c[i * n + j] = sum;
      }
    }
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  std::printf("host matrix_product ms %.2f\n", best);
  return c[0] == 144.0f ? 0 : 1;
}
