// A histogram with atomics: many elements of one tile may fall into one bin.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstdio>
#include <vector>

namespace ct = cuda::tiles;

constexpr int tile_size = 256;
constexpr int bins = 16;
using index_tile = ct::tile<int, ct::shape<tile_size>>;

__tile_global__ void histogram(const unsigned char* data, int n, int* counts) {
  int block = ct::bid().x;
  auto i = block * tile_size + ct::iota<index_tile>();
  auto inside = i < n;
  auto value = ct::element_cast<int>(ct::load_masked(data + i, inside, static_cast<unsigned char>(0)));
  ct::atomic_add_masked(counts + value % bins,
                        ct::full<index_tile>(1),
                        inside,
                        ct::memory_order_relaxed_t{},
                        ct::thread_scope_device_t{});
}

int main() {
  const int n = 100'000;
  std::vector<unsigned char> data(n);
  std::vector<int> want(bins, 0), counts(bins, 0);
  unsigned state = 1;
  for (unsigned char& d : data) {
    state = state * 1664525u + 1013904223u;
    d = static_cast<unsigned char>(state >> 24);
    ++want[d % bins];
  }
  unsigned char* ddata = nullptr;
  int* dcounts = nullptr;
  cudaMalloc(&ddata, n);
  cudaMalloc(&dcounts, bins * sizeof(int));
  cudaMemcpy(ddata, data.data(), n, cudaMemcpyHostToDevice);
  cudaMemset(dcounts, 0, bins * sizeof(int));

  histogram<<<(n + tile_size - 1) / tile_size, 1>>>(ddata, n, dcounts);

  cudaMemcpy(counts.data(), dcounts, bins * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(ddata);
  cudaFree(dcounts);
  std::printf("histogram:");
  for (int c : counts) {
    std::printf(" %d", c);
  }
  std::printf(" %s\n", counts == want ? "right" : "wrong");
  return counts == want ? 0 : 1;
}
