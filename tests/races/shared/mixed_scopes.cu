// Blocks count in one object by references of two scopes at once: of block scope where all threads seem to be of one
// block, and of device scope. Repaired: of device scope alone.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__global__ void count(int* n) {
  __shared__ int mine;
  if (threadIdx.x == 0) {
    mine = 0;
  }
  __syncthreads();
  atomicAdd_block(&mine, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
#ifdef RACY
    if (blockIdx.x == 0) {
      cuda::atomic_ref<int, cuda::thread_scope_block>(*n).fetch_add(mine); // race: narrow-scope with @device
      return;
    }
#endif
    cuda::atomic_ref<int, cuda::thread_scope_device>(*n).fetch_add(mine); // @device
  }
}

int main() {
  count<<<2, 8>>>(zeros(1));
  return finish();
}
