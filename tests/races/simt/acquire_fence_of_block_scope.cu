// The consumer's fence is of block scope, so it takes nothing from another block. Repaired: of device scope.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__global__ void pass(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 42; // @data
    __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
#ifdef RACY
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_block);
#else
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
#endif
    *out = *data; // race: data-race with @data
  }
}

int main() {
  pass<<<2, 1>>>(zeros(1), zeros(1), zeros(1));
#ifdef RACY
  std::printf("expect: but the fence after the update (acquire_fence_of_block_scope.cu:17) is of block scope, which does "
              "not hold thread (0,0,0) of block (0,0,0) of pass\n");
  std::printf("expect: to fix: let the fence at acquire_fence_of_block_scope.cu:17 be of device scope: __threadfence()\n");
#endif
  return finish();
}
