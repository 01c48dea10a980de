// Products of 64x64 matrices of floats through mma, one block, and the same with tiles of half.
//
// Prints nanoseconds per product for bench/run.py; matrix_by_hand.cpp is the yardstick.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include <cuda_fp16.h>

namespace ct = cuda::tiles;

constexpr int n = 64;

template <class Element>
__tile_global__ void products(const float* a, const float* b, float* c, int times) {
  auto at = ct::iota<ct::tile<int, ct::shape<n, n>>>();
  auto left = ct::element_cast<Element>(ct::load(a + at));
  auto right = ct::element_cast<Element>(ct::load(b + at));
  auto sum = ct::zeros<ct::tile<float, ct::shape<n, n>>>();
  for (int i = 0; i < times; ++i) {
    sum = ct::mma(left, right, sum);
  }
  ct::store(c + at, sum);
}

template <class Element>
double best_nanoseconds(const float* a, const float* b, float* c) {
  constexpr int times = 1000;
  double best = 1e30;
  for (int i = 0; i < 10; ++i) {
    const auto start = std::chrono::steady_clock::now();
    products<Element><<<1, 1>>>(a, b, c, times);
    cudaDeviceSynchronize();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count() / times);
  }
  return best;
}

int main() {
  constexpr std::size_t bytes = n * n * sizeof(float);
  float *a = nullptr, *b = nullptr, *c = nullptr;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  cudaMemset(a, 0x3e, bytes);
  cudaMemset(b, 0x3e, bytes);
  std::printf("mma float ns_per_product %.1f\n", best_nanoseconds<float>(a, b, c));
  std::printf("mma half ns_per_product %.1f\n", best_nanoseconds<__half>(a, b, c));
  return 0;
}
