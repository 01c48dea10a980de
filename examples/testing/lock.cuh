// A lock, and two blocks that write before they read.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda/atomic>
#include <cuda_runtime.h>

using shared_int = cuda::atomic_ref<int, cuda::thread_scope_device>;

// Each block adds 1 to a plain counter, with the lock held. To take it in acquire
// order is right; relaxed lets a block in before it sees what the one before has written.
template <cuda::memory_order Order>
__global__ void count_under_lock(int* lock, int* counter) {
  int expected = 0;
  while (!shared_int(*lock).compare_exchange_strong(expected, 1, Order, cuda::memory_order_relaxed))
    expected = 0;
  *counter = *counter + 1;
  shared_int(*lock).store(0, cuda::memory_order_release);
}

__global__ void write_then_read(int* places, int* seen) {
  const int me = static_cast<int>(blockIdx.x);
  shared_int(places[me]).store(1, cuda::memory_order_relaxed);
  seen[me] = shared_int(places[1 - me]).load(cuda::memory_order_relaxed);
}
