// Four blocks add their elements to one counter each, then to a common one.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstdio>

namespace ct = cuda::tiles;

using numbers = ct::tile<int, ct::shape<8>>;

__tile_global__ void count(const int* values, int* sums, int* total) {
  int block = (int)ct::bid().x;
  auto where = block * 8 + ct::iota<numbers>();
  auto mine = ct::load(values + where);
  auto big = mine > 2;
  auto kept = ct::select(big, mine, ct::full<numbers>(0));
  auto sum = ct::sum(kept, ct::integral_constant<0>{});
  ct::store(sums + block, (int)sum);
  ct::atomic_add<ct::memory_order::relaxed, ct::thread_scope::device>(total, (int)sum);
}

int main() {
  int host[32];
  for (int i = 0; i < 32; ++i) {
    host[i] = i % 5;
  }
  int* values = nullptr;
  int* sums = nullptr;
  int* total = nullptr;
  cudaMalloc(&values, sizeof host);
  cudaMalloc(&sums, 4 * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(total, 0, sizeof(int));
  count<<<4, 1>>>(values, sums, total);
  int result = 0;
  cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("total %d\n", result);
  cudaFree(values);
  cudaFree(sums);
  cudaFree(total);
  return result == 42 ? 0 : 3;
}
