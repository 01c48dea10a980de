// 64 blocks take turns in a critical section guarded by a compare-exchange lock.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstdio>

namespace ct = cuda::tiles;

__tile_global__ void count(int* lock, int* counter) {
  int found = 1;
  while (found != 0) { // 0: free, and taken by this very operation
    found = static_cast<int>(ct::atomic_compare_exchange(
        lock, 0, 1, ct::memory_order_acquire_t{}, ct::thread_scope_device_t{}));
  }
  int value = ct::load(counter); // plain accesses: the lock orders them
  ct::store(counter, value + 1);
  ct::atomic_store(lock, 0, ct::memory_order_release_t{}, ct::thread_scope_device_t{});
}

int main() {
  const int blocks = 64;
  int *lock = nullptr, *counter = nullptr, result = 0;
  cudaMalloc(&lock, sizeof(int));
  cudaMalloc(&counter, sizeof(int));
  cudaMemset(lock, 0, sizeof(int));
  cudaMemset(counter, 0, sizeof(int));

  count<<<blocks, 1>>>(lock, counter);

  cudaMemcpy(&result, counter, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(lock);
  cudaFree(counter);
  std::printf("spin_lock: %d of %d increments arrived\n", result, blocks);
  return result == blocks ? 0 : 1;
}
