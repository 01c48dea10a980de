// Nanoseconds of one operation on a tile of 4096 elements, beside the loop by hand at -O3 whatever the
// file's level: what std::transform compiles to. Prints one line per measurement for bench/run.py.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cuda_fp16.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace ct = cuda::tiles;

constexpr int count = 4096;
constexpr int repeats = 500;

template <class T>
__tile_global__ void add(const T* a, const T* b, T* result) {
  const auto at = ct::iota<ct::tile<int, ct::shape<count>>>();
  const auto x = ct::load(a + at);
  const auto y = ct::load(b + at);
  for (int i = 1; i < repeats; ++i) {
    x + y;
  }
  ct::store(result + at, x + y);
}

// Launch, loads and store, which are not to be counted.
template <class T>
__tile_global__ void add_once(const T* a, const T* b, T* result) {
  const auto at = ct::iota<ct::tile<int, ct::shape<count>>>();
  const auto x = ct::load(a + at);
  const auto y = ct::load(b + at);
  ct::store(result + at, x + y);
}

template <class T>
#if defined(__GNUC__) && !defined(__clang__)
__attribute__((optimize("O3"), noinline))
#else
__attribute__((noinline))
#endif
void add_by_hand(const T* a, const T* b, T* result) {
  for (int i = 0; i < count; ++i) {
    result[i] = a[i] + b[i];
  }
}

template <class F>
double best_nanoseconds(F f) {
  double best = 1e30;
  for (int i = 0; i < 20; ++i) {
    const auto start = std::chrono::steady_clock::now();
    f();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  return best;
}

template <class T>
T* managed() {
  T* p = nullptr;
  cudaMallocManaged(&p, count * sizeof(T));
  std::fill_n(p, count, T(1));
  return p;
}

template <class T>
void measure(const char* type) {
  T *a = managed<T>(), *b = managed<T>(), *result = managed<T>();
  const double many = best_nanoseconds([&] {
    add<<<1, 1>>>(a, b, result);
    cudaDeviceSynchronize();
  });
  const double once = best_nanoseconds([&] {
    add_once<<<1, 1>>>(a, b, result);
    cudaDeviceSynchronize();
  });
  std::printf("elementwise %s add ns %.1f\n", type, (many - once) / (repeats - 1));
  cudaFree(a);
  cudaFree(b);
  cudaFree(result);
}

template <class T>
void measure_by_hand(const char* type) {
  const std::vector<T> a(count, T(1)), b(count, T(1));
  std::vector<T> result(count);
  const double took = best_nanoseconds([&] {
    for (int i = 0; i < repeats; ++i) {
      add_by_hand(a.data(), b.data(), result.data());
      asm volatile("" : : "r"(result.data()) : "memory");
    }
  });
  std::printf("elementwise %s by_hand ns %.1f\n", type, took / repeats);
}

int main() {
  measure<float>("float");
  measure_by_hand<float>("float");
  measure<int>("int");
  measure_by_hand<int>("int");
  measure<__half>("half");
}
