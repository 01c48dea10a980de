// More blocks wait for one another than a list has lines: of one thread each, or of eight.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cuda/atomic>

namespace ct = cuda::tiles;

__tile_global__ void many(int* flag) {
  if ((int)ct::bid().x == 199) {
    ct::atomic_store<ct::memory_order::relaxed, ct::thread_scope::device>(flag, 1); // sets it
  }
  while ((int)ct::atomic_load<ct::memory_order::relaxed, ct::thread_scope::device>(flag) == 0) {
  }
}

__global__ void threads(int* flag) {
  cuda::atomic_ref<int, cuda::thread_scope_device> there(*flag);
  if (blockIdx.x == 39 && threadIdx.x == 0) {
    there.store(1, cuda::memory_order_relaxed); // sets it, too
  }
  while (there.load(cuda::memory_order_relaxed) == 0) {
  }
}

int main(int count, char**) {
  int* flag = nullptr;
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  if (count == 1) {
    many<<<200, 1>>>(flag);
  } else {
    threads<<<40, 8>>>(flag);
  }
  cudaDeviceSynchronize();
  cudaFree(flag);
}
