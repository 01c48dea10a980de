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

/// Keeps the least time of several.
class stopwatch {
public:
  template <class F>
  void time(F f) {
    const auto start = std::chrono::steady_clock::now();
    f();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    best_ = std::min(best_, took.count());
  }
  void print(const char* name) const {
    std::printf("copy %s ns_per_element %.4f\n", name, best_ / (double{n} * n));
  }

private:
  double best_ = 1e30;
};

template <int Side>
void copy_tiles(const float* from, float* to) {
  copy<Side><<<dim3(n / Side, n / Side), 1>>>(from, to);
  cudaDeviceSynchronize();
}

int main() {
  const std::size_t count = std::size_t{n} * n, bytes = count * sizeof(float);
  std::vector<float> host(count), other(count);
  for (std::size_t i = 0; i < count; ++i) {
    host[i] = static_cast<float>(i % 8191);
  }
  float *from = nullptr, *to = nullptr;
  cudaMalloc(&from, bytes);
  cudaMalloc(&to, bytes);
  cudaMemcpy(from, host.data(), bytes, cudaMemcpyHostToDevice);
  const auto copied = [&] {
    cudaMemcpy(other.data(), to, bytes, cudaMemcpyDeviceToHost);
    cudaMemset(to, 0, bytes);
    return other == host;
  };
  copy_tiles<32>(from, to);
  bool right = copied();
  copy_tiles<64>(from, to);
  right = copied() && right;
  copy_tiles<128>(from, to);
  right = copied() && right;
  if (!right) {
    std::fprintf(stderr, "copy: a copy differs\n");
    return 1;
  }
  // In turn, so that whatever else uses the memory disturbs all alike.
  stopwatch by_hand, small, middle, large;
  for (int i = 0; i < 10; ++i) {
    by_hand.time([&] { std::memcpy(other.data(), host.data(), bytes); });
    small.time([&] { copy_tiles<32>(from, to); });
    middle.time([&] { copy_tiles<64>(from, to); });
    large.time([&] { copy_tiles<128>(from, to); });
  }
  by_hand.print("memcpy");
  small.print("32x32");
  middle.print("64x64");
  large.print("128x128");
  cudaFree(from);
  cudaFree(to);
}
