// A block tells another by a flag that all its threads have written: each fences, they meet, one raises the flag. Racy: the
// reader does not fence behind the flag. Repaired: it does.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__global__ void tell(int* data, int* flag, int* out) {
  const unsigned t = threadIdx.x;
  const cuda::atomic_ref<int, cuda::thread_scope_device> raised(*flag);
  if (blockIdx.x == 0) {
    data[t] = 1; // @data
    __threadfence();
    __syncthreads();
    if (t == 0) {
      raised.store(1, cuda::memory_order_relaxed);
    }
  } else {
    if (t == 0) {
      while (raised.load(cuda::memory_order_relaxed) == 0) {
      }
    }
    __syncthreads();
#ifndef RACY
    __threadfence();
#endif
    out[t] = data[1 - t]; // race: data-race with @data
  }
}

int main() {
  tell<<<2, 2>>>(zeros(2), zeros(1), zeros(2));
  return finish();
}
