// Store buffering, as in Dekker's algorithm: each block raises its flag, then looks for the other's; who sees none
// writes. With fences that have an order among themselves one of the two sees the other's flag. Racy: nobody looks.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__global__ void enter(int* flags, int* counter) {
  const int me = static_cast<int>(blockIdx.x);
  const cuda::atomic_ref<int, cuda::thread_scope_device> mine(flags[me]);
  const cuda::atomic_ref<int, cuda::thread_scope_device> other(flags[1 - me]);
  mine.store(1, cuda::memory_order_relaxed);
#ifdef RACY
  const int seen = 0;
#else
  __threadfence();
  const int seen = other.load(cuda::memory_order_relaxed);
#endif
  if (seen == 0) {
    *counter = me; // race: data-race
  }
}

int main() {
  enter<<<2, 1>>>(zeros(2), zeros(1));
  return finish();
}
