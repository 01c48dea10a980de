// The cost of a block that does nothing.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

__tile_global__ void nothing() {}

int main() {
  const int blocks = 100'000;
  double best = 1e30;
  for (int i = 0; i < 10; ++i) {
    const auto start = std::chrono::steady_clock::now();
    nothing<<<blocks, 1>>>();
    cudaDeviceSynchronize();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  std::printf("blocks trivial ns_per_block %.1f\n", best / blocks);
  return 0;
}
