// One thread reads the counter plainly while others add atomically. Repaired: an atomic load.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__global__ void count(int* counter, int* seen) {
  if (threadIdx.x == 0) {
#ifdef RACY
    *seen = *counter; // race: data-race with @add
#else
    *seen = cuda::atomic_ref<int, cuda::thread_scope_device>(*counter).load(cuda::memory_order_relaxed);
#endif
  } else {
    atomicAdd(counter, 1); // @add
  }
}

int main() {
  count<<<1, 8>>>(zeros(1), zeros(1));
  return finish();
}
