// What a checked run costs (`tilesim run --races`): nanoseconds per element of saxpy, of an atomic
// histogram, of the same histogram by racing stores, and of a scatter through a permutation.
//
// Each figure is the first launch on fresh memory, so it contains the making of shadow memory: that
// is what a person who checks a program waits for. Prints one line per measurement for
// bench/run.py. SPDX-License-Identifier: Apache-2.0
#include "measured.h"

#include <cuda_tile.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

namespace ct = cuda::tiles;

constexpr int n = 1 << 20;
constexpr int tile_size = 1024;
constexpr int bins = 256;
constexpr int repeats = 9;
using index_tile = ct::tile<int, ct::shape<tile_size>>;

__tile_global__ void saxpy(float a, const float* x, float* y) {
  const int block = ct::bid().x;
  auto i = block * tile_size + ct::iota<index_tile>();
  ct::store(y + i, a * ct::load(x + i) + ct::load(y + i));
}

__tile_global__ void histogram(const int* values, int* counts) {
  const int block = ct::bid().x;
  auto i = block * tile_size + ct::iota<index_tile>();
  ct::atomic_add<ct::memory_order::relaxed, ct::thread_scope::device>(counts + ct::load(values + i),
                                                                      ct::ones<index_tile>());
}

__tile_global__ void racing_histogram(const int* values, int* counts) {
  const int block = ct::bid().x;
  auto i = block * tile_size + ct::iota<index_tile>();
  auto count = counts + ct::load(values + i);
  ct::store(count, ct::load(count) + 1);
}

__tile_global__ void scatter(const int* places, const float* x, float* y) {
  const int block = ct::bid().x;
  auto i = block * tile_size + ct::iota<index_tile>();
  ct::store(y + ct::load(places + i), ct::load(x + i));
}

/// Wall time: kernels that count processor time by ticks tell 0 or 4 ms for what takes 2 ms. The
/// best of the repeats is the one that nothing else disturbed.
double wall_ns() {
  return nanoseconds(CLOCK_MONOTONIC);
}

template <class Prepare>
void measure(const char* name, Prepare prepare) {
  double best = 1e30;
  for (int i = 0; i < repeats; ++i) {
    const auto launch = prepare();
    cudaDeviceSynchronize();
    const double start = wall_ns();
    launch();
    cudaDeviceSynchronize();
    best = std::min(best, wall_ns() - start);
  }
  std::printf("checked %s ns_per_element %.3f\n", name, best / n);
}

int main() {
  std::vector<float> floats(n, 1.0f);
  std::vector<int> values(n);
  std::vector<int> places(n);
  std::iota(places.begin(), places.end(), 0);
  unsigned state = 1;
  const auto draw = [&state] { return (state = state * 1664525U + 1013904223U) >> 8U; };
  for (int i = n - 1; i > 0; --i) {
    std::swap(places[i], places[draw() % (i + 1)]);
    values[i] = static_cast<int>(draw() % bins);
  }

  measure("saxpy", [&] {
    float *x = fresh(floats), *y = fresh(floats);
    return [=] { saxpy<<<n / tile_size, 1>>>(2.0f, x, y); };
  });
  measure("histogram", [&] {
    int *v = fresh(values), *counts = fresh(std::vector<int>(bins));
    return [=] { histogram<<<n / tile_size, 1>>>(v, counts); };
  });
  measure("scatter", [&] {
    int* p = fresh(places);
    float *x = fresh(floats), *y = fresh(floats);
    return [=] { scatter<<<n / tile_size, 1>>>(p, x, y); };
  });
  measure("racing_histogram", [&] {
    int *v = fresh(values), *counts = fresh(std::vector<int>(bins));
    return [=] { racing_histogram<<<n / tile_size, 1>>>(v, counts); };
  });
}
