// The last block to count itself. Racy: it reads what the others have left as volatile, which makes no order, and the
// count is relaxed. Repaired: a fence of the device on both sides of the count.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__global__ void sum(int* partial, unsigned* done, int* out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = 1; // @partial
#ifndef RACY
    cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device);
#endif
    last = cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*done).fetch_add(1, cuda::memory_order_relaxed) ==
           gridDim.x - 1;
#ifndef RACY
    cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device);
#endif
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int all = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) {
      all += *static_cast<const volatile int*>(&partial[i]); // race: data-race with @partial
    }
    *out = all;
  }
}

int main() {
  sum<<<4, 8>>>(zeros(4), zeros<unsigned>(1), zeros(1));
  return finish();
}
