// Two blocks, and results that depend on who comes first: tickets of a counter; flags that each sets before it looks at
// the other's; a message that one writes in front of its flag. Called with "flags" or "message" it does these.
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

__tile_global__ void message(int* m) {
  if (ct::bid().x == 0) {
    ct::atomic_store<relaxed, device>(m, 1);
    ct::atomic_store<ct::memory_order::release, device>(m + 1, 1);
  } else {
    ct::store(m + 2, static_cast<int>(ct::atomic_load<ct::memory_order::acquire, device>(m + 1)));
    ct::store(m + 3, static_cast<int>(ct::atomic_load<relaxed, device>(m)));
  }
}

int main(int argc, char** argv) {
  int* m = nullptr;
  cudaMalloc(&m, 4 * sizeof(int));
  const int zeros[4] = {};
  cudaMemcpy(m, zeros, sizeof zeros, cudaMemcpyHostToDevice);
  if (argc > 1 && argv[1][0] == 'm') {
    message<<<2, 1>>>(m);
  } else if (argc > 1) {
    flags<<<2, 1>>>(m);
  } else {
    tickets<<<2, 1>>>(m);
  }
  cudaDeviceSynchronize();
  cudaFree(m);
}
