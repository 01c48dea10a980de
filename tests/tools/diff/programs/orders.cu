// Two blocks, and results that depend on who comes first: tickets of a counter; flags that each sets before it looks at
// the other's. Called with "flags" it does the second.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

namespace ct = cuda::tiles;
constexpr auto relaxed = ct::memory_order::relaxed;
constexpr auto device = ct::thread_scope::device;

__tile_global__ void tickets(int* m) {
  const int ticket = static_cast<int>(ct::atomic_add<relaxed, device>(m, 1));
  ct::store(m + 1 + ticket, static_cast<int>(ct::bid().x) + 1);
}

__tile_global__ void flags(int* m) {
  const int own = static_cast<int>(ct::bid().x);
  ct::atomic_store<relaxed, device>(m + own, 1);
  ct::store(m + 2 + own, static_cast<int>(ct::atomic_load<relaxed, device>(m + 1 - own)));
}

int main(int argc, char**) {
  int* m = nullptr;
  cudaMalloc(&m, 4 * sizeof(int));
  const int zeros[4] = {};
  cudaMemcpy(m, zeros, sizeof zeros, cudaMemcpyHostToDevice);
  if (argc > 1) {
    flags<<<2, 1>>>(m);
  } else {
    tickets<<<2, 1>>>(m);
  }
  cudaDeviceSynchronize();
  cudaFree(m);
}
