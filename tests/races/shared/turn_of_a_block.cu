// Blocks add their parts to a row in turns: one thread waits for the block's turn. Racy: the others do not wait for that
// thread. Repaired: a barrier behind its wait.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__global__ void add(int* row, int* turn) {
  const cuda::atomic_ref<int, cuda::thread_scope_device> next(*turn);
  const unsigned t = threadIdx.x;
  if (t == 0) {
    while (next.load(cuda::memory_order_acquire) != static_cast<int>(blockIdx.x)) {
    }
  }
#ifndef RACY
  __syncthreads();
#endif
  row[t] += static_cast<int>(blockIdx.x) + 1; // race: data-race
  __syncthreads();
  if (t == 0) {
    next.store(static_cast<int>(blockIdx.x) + 1, cuda::memory_order_release);
  }
}

int main() {
  add<<<3, 8>>>(zeros(8), zeros(1));
  return finish();
}
