// Elements per second of saxpy through pointer tiles, beside the same loop written by hand.
//
// The launch is timed with the host's clock around launch and synchronisation; the loop is compiled
// at -O2 whatever the file's level. Prints one line per measurement for bench/run.py.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace ct = cuda::tiles;

template <int TileSize>
__tile_global__ void saxpy(int n, float a, const float* x, float* y) {
  using index_tile = ct::tile<int, ct::shape<TileSize>>;
  int block = ct::bid().x;
  auto i = block * TileSize + ct::iota<index_tile>();
  auto inside = i < n;
  auto xs = ct::load_masked(x + i, inside, 0.0f);
  auto ys = ct::load_masked(y + i, inside, 0.0f);
  ct::store_masked(y + i, a * xs + ys, inside);
}

#if defined(__GNUC__) && !defined(__clang__)
__attribute__((optimize("O2"), noinline))
#else
__attribute__((noinline))
#endif
void saxpy_by_hand(int n, float a, const float* x, float* y) {
  for (int i = 0; i < n; ++i) {
    y[i] = a * x[i] + y[i];
  }
}

template <class F>
double best_nanoseconds(F f) {
  double best = 1e30;
  for (int i = 0; i < 10; ++i) {
    const auto start = std::chrono::steady_clock::now();
    f();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  return best;
}

int main() {
  const int n = 1'000'000;
  const std::size_t bytes = n * sizeof(float);
  float *x = nullptr, *y = nullptr;
  cudaMalloc(&x, bytes);
  cudaMalloc(&y, bytes);
  cudaMemset(x, 0, bytes);
  cudaMemset(y, 0, bytes);
  const double with_1024 = best_nanoseconds([&] {
    saxpy<1024><<<(n + 1023) / 1024, 1>>>(n, 2.0f, x, y);
    cudaDeviceSynchronize();
  });
  const double with_256 = best_nanoseconds([&] {
    saxpy<256><<<(n + 255) / 256, 1>>>(n, 2.0f, x, y);
    cudaDeviceSynchronize();
  });
  std::vector<float> hx(n, 0.0f), hy(n, 0.0f);
  const double by_hand = best_nanoseconds([&] { saxpy_by_hand(n, 2.0f, hx.data(), hy.data()); });
  std::printf("saxpy tile<1024> ns_per_element %.3f\n", with_1024 / n);
  std::printf("saxpy tile<256> ns_per_element %.3f\n", with_256 / n);
  std::printf("saxpy by_hand ns_per_element %.3f\n", by_hand / n);
  return 0;
}
