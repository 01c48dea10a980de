// A histogram by atomic updates; with DEFECT by loads and stores.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace ct = cuda::tiles;

constexpr int bins = 16;
using lanes = ct::tile<int, ct::shape<256>>;

__tile_global__ void histogram(const int* data, int* counts) {
  auto i = static_cast<int>(ct::bid().x) * 256 + ct::iota<lanes>();
  auto bin = counts + ct::load(data + i);
#ifdef DEFECT
  ct::store(bin, ct::load(bin) + 1);
#else
  ct::atomic_add(
      bin, ct::full<lanes>(1), ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});
#endif
}

int main() {
  const int n = 64 * 256;
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i) {
    host[i] = i * 7 % bins;
  }
  int *data, *counts;
  cudaMalloc(&data, n * sizeof(int));
  cudaMalloc(&counts, bins * sizeof(int));
  cudaMemcpy(data, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(counts, 0, bins * sizeof(int));
  histogram<<<64, 1>>>(data, counts);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(counts);
}
