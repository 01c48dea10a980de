// A scalar that a block loads atomically: nvcc 13.4.92 for sm_90 lets each thread of the block load it, and goes on with
// what each of them got.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstdio>
#include <vector>

namespace ct = cuda::tiles;
using row = ct::tile<int, ct::shape<128>>;

// Each block counts once, looks at the count once, writes what it saw to 128 elements, and by how much they differ.
__tile_global__ void look(int* count, int* seen, int* spread) {
  const int block = static_cast<int>(ct::bid().x);
  const auto own = seen + block * 128 + ct::iota<row>();
  ct::atomic_add<ct::memory_order::relaxed>(count, 1);
  const int now = ct::atomic_load<ct::memory_order::relaxed, ct::thread_scope::device>(count);
  ct::store(own, ct::full<row>(now));
  const auto again = ct::load(own);
  const int most = static_cast<int>(ct::reduce_max<0>(again));
  const int least = static_cast<int>(ct::reduce_min<0>(again));
  ct::store(spread + block, most - least);
}

int main() {
  constexpr int blocks = 1024;
  int *count = nullptr, *seen = nullptr, *spread = nullptr;
  cudaMalloc(&count, sizeof(int));
  cudaMalloc(&seen, blocks * 128 * sizeof(int));
  cudaMalloc(&spread, blocks * sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  look<<<blocks, 1>>>(count, seen, spread);
  std::vector<int> host(blocks);
  cudaMemcpy(host.data(), spread, blocks * sizeof(int), cudaMemcpyDeviceToHost);
  int torn = 0;
  for (const int s : host) {
    torn += s != 0 ? 1 : 0;
  }
  std::printf("%d blocks saw more than one count in one load\n", torn);
  cudaFree(count);
  cudaFree(seen);
  cudaFree(spread);
}
