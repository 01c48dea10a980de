// Sums and running sums of the rows and of the columns of 1024 x 1024 floats, tile by tile, beside
// the same loops written by hand.
//
// Prints nanoseconds per element for bench/run.py.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace ct = cuda::tiles;
using namespace ct::literals;

constexpr int n = 1024;
constexpr std::size_t count = std::size_t{n} * n;

// What a kernel adds to its load and store: one row of n floats a block, or 64 columns.
enum class what { copy, sum, running_sum, running_sum_backward };

template <what What, int Rows, int Columns, int Dim>
__tile_global__ void combine(const float* in, float* out) {
  ct::partition_view from{ct::tensor_span{in, ct::extents{1024_ic, 1024_ic}},
                          ct::shape<Rows, Columns>{}};
  ct::partition_view to{ct::tensor_span{out, ct::extents{1024_ic, 1024_ic}},
                        ct::shape<Rows, Columns>{}};
  const int row = Rows == n ? 0 : ct::bid().x;
  const int column = Rows == n ? ct::bid().x : 0;
  auto x = from.load(row, column);
  if constexpr (What == what::sum) {
    x = ct::broadcast<ct::shape<Rows, Columns>>(ct::sum<Dim>(x));
  } else if constexpr (What == what::running_sum) {
    x = ct::partial_sum<Dim>(x);
  } else if constexpr (What == what::running_sum_backward) {
    x = ct::partial_sum<Dim, ct::scan_direction::backward>(x);
  }
  to.store(x, row, column);
}

#if defined(__GNUC__) && !defined(__clang__)
#  define BY_HAND __attribute__((optimize("O3"), noinline))
#else
#  define BY_HAND __attribute__((noinline))
#endif

BY_HAND void copy(const float* in, float* out) {
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = in[i];
  }
}
BY_HAND void sum_of_rows(const float* in, float* out) {
  for (int r = 0; r < n; ++r) {
    float total = 0;
    for (int c = 0; c < n; ++c) {
      total += in[r * n + c];
    }
    for (int c = 0; c < n; ++c) {
      out[r * n + c] = total;
    }
  }
}
BY_HAND void running_sum_of_rows(const float* in, float* out) {
  for (int r = 0; r < n; ++r) {
    float total = 0;
    for (int c = 0; c < n; ++c) {
      out[r * n + c] = total += in[r * n + c];
    }
  }
}
BY_HAND void running_sum_of_rows_backward(const float* in, float* out) {
  for (int r = 0; r < n; ++r) {
    float total = 0;
    for (int c = n - 1; c >= 0; --c) {
      out[r * n + c] = total += in[r * n + c];
    }
  }
}
BY_HAND void running_sum_of_columns(const float* in, float* out) {
  std::copy_n(in, n, out);
  for (std::size_t i = n; i < count; ++i) {
    out[i] = out[i - n] + in[i];
  }
}

template <class F>
double best_nanoseconds(F f) {
  double best = 1e30;
  for (int i = 0; i < 15; ++i) {
    const auto start = std::chrono::steady_clock::now();
    f();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  return best / static_cast<double>(count);
}

struct arrays {
  std::vector<float> in, by_hand, out;
  float *device_in = nullptr, *device_out = nullptr;
};

bool measure(const char* name,
             arrays& a,
             int blocks,
             void (*kernel)(const float*, float*),
             void (*hand)(const float*, float*)) {
  const double tiles = best_nanoseconds([&] {
    kernel<<<blocks, 1>>>(a.device_in, a.device_out);
    cudaDeviceSynchronize();
  });
  const double loops = best_nanoseconds([&] { hand(a.in.data(), a.by_hand.data()); });
  std::printf(
      "%s tiles ns_per_element %.4f\n%s by_hand ns_per_element %.4f\n", name, tiles, name, loops);
  cudaMemcpy(a.out.data(), a.device_out, count * sizeof(float), cudaMemcpyDeviceToHost);
  return a.out == a.by_hand; // whole numbers: every order gives the same sum
}

int main() {
  arrays a{std::vector<float>(count), std::vector<float>(count), std::vector<float>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    a.in[i] = static_cast<float>(i * 7919 % 1999) - 999;
  }
  cudaMalloc(&a.device_in, count * sizeof(float));
  cudaMalloc(&a.device_out, count * sizeof(float));
  cudaMemcpy(a.device_in, a.in.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  const bool right =
      measure("copy", a, n, combine<what::copy, 1, n, 1>, copy) &&
      measure("sum", a, n, combine<what::sum, 1, n, 1>, sum_of_rows) &&
      measure("rows", a, n, combine<what::running_sum, 1, n, 1>, running_sum_of_rows) &&
      measure("backward",
              a,
              n,
              combine<what::running_sum_backward, 1, n, 1>,
              running_sum_of_rows_backward) &&
      measure("columns", a, n / 64, combine<what::running_sum, n, 64, 0>, running_sum_of_columns);
  cudaFree(a.device_in);
  cudaFree(a.device_out);
  if (!right) {
    std::fprintf(stderr, "scans: a sum differs from the loop's\n");
    return 1;
  }
}
