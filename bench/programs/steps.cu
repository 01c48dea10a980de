// A million operations of one block, and the same of a hundred blocks: for stepping through.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstdlib>

namespace ct = cuda::tiles;

__tile_global__ void add_up(int* counters, int rounds) {
  auto mine = (int)ct::bid().x * 8 + ct::iota<ct::tile<int, ct::shape<8>>>();
  for (int i = 0; i < rounds; ++i) {
    auto value = ct::load(counters + mine);
    ct::store(counters + mine, value + i);
  }
}

int main(int count, char** words) {
  const int blocks = count > 1 ? std::atoi(words[1]) : 1;
  int* counters = nullptr;
  cudaMalloc(&counters, static_cast<std::size_t>(blocks) * 8 * sizeof(int));
  cudaMemset(counters, 0, static_cast<std::size_t>(blocks) * 8 * sizeof(int));
  add_up<<<blocks, 1>>>(counters, 200'000 / blocks);
  cudaDeviceSynchronize();
  cudaFree(counters);
}
