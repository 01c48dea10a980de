// Every block writes its number to one place, and nothing orders them.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cuda_runtime.h>

namespace ct = cuda::tiles;

__tile_global__ void races(int* out) {
  const int block = ct::bid().x;
  const auto value = ct::full<ct::tile<int, ct::shape<16>>>(10 + block);
  ct::atomic_store<ct::memory_order::relaxed, ct::thread_scope::device>(out + ct::iota<ct::tile<int, ct::shape<16>>>(), value);
}

int main() {
  int* out;
  cudaMalloc(&out, 16 * sizeof(int));
  races<<<4, 1>>>(out);
  cudaDeviceSynchronize();
}
