// The same histogram with a load, an add and a plain store: a data race, so counts get lost.
//
// It checks its own result by what a race leaves true: no bin counts more than it should.
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
  auto place = counts + value % bins;
  auto old = ct::load_masked(place, inside, 0);
  ct::store_masked(place, old + 1, inside); // elements that share a bin overwrite one another
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
  bool possible = true;
  int lost = 0;
  for (int b = 0; b < bins; ++b) {
    possible = possible && counts[b] >= 1 && counts[b] <= want[b];
    lost += want[b] - counts[b];
  }
  std::printf("histogram_racy: counts were %s\n", lost > 0 ? "lost, as a race allows" : "not lost this time");
  return possible ? 0 : 1;
}
