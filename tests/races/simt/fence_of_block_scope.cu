// __threadfence_block orders nothing for another block. Repaired: __threadfence.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void pass(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 42; // @data
#ifdef RACY
    __threadfence_block();
#else
    __threadfence();
#endif
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    *out = *data; // race: data-race with @data
  }
}

int main() {
  pass<<<2, 1>>>(zeros(1), zeros(1), zeros(1));
#ifdef RACY
  std::printf("expect: but the fence before the update (fence_of_block_scope.cu:10) is of block scope, which does not hold "
              "thread (0,0,0) of block (1,0,0) of pass\n");
  std::printf("expect: to fix: let the fence at fence_of_block_scope.cu:10 be of device scope: __threadfence()\n");
#endif
  return finish();
}
