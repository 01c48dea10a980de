// Half of a block produces, the other consumes, by a flag in shared memory. Racy: it is raised relaxed.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__global__ void pass(int* out) {
  __shared__ int data;
  __shared__ int flag;
  if (threadIdx.x == 0) {
    flag = 0;
  }
  __syncthreads();
  const cuda::atomic_ref<int, cuda::thread_scope_block> raised(flag);
  if (threadIdx.x == 0) {
    data = 42; // @data
#ifdef RACY
    raised.store(1, cuda::memory_order_relaxed);
#else
    raised.store(1, cuda::memory_order_release);
#endif
  } else {
    while (raised.load(cuda::memory_order_acquire) == 0) {
    }
    out[threadIdx.x] = data; // race: data-race with @data
  }
}

int main() {
  pass<<<1, 4>>>(zeros(4));
  return finish();
}
