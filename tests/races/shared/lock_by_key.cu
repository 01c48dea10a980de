// Locks that several bins share, in device memory, for the blocks of a grid. Racy: one kind of thread finds a bin's lock by
// another rule than the rest. Repaired: all by the same.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__device__ void add(int& sum, int& l, int value) {
  const cuda::atomic_ref<int, cuda::thread_scope_device> lock(l);
  while (lock.exchange(1, cuda::memory_order_acquire) != 0) {
  }
  sum += value; // race: data-race
  lock.store(0, cuda::memory_order_release);
}

__global__ void count(int* bins, int* locks) {
  const int bin = threadIdx.x % 8;
#ifdef RACY
  const int by = blockIdx.x % 2 == 0 ? bin / 2 : bin % 4;
#else
  const int by = bin % 4;
#endif
  add(bins[bin], locks[by], 1);
}

int main() {
  count<<<2, 8>>>(zeros(8), zeros(4));
  return finish();
}
