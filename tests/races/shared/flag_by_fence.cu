// A flag in shared memory, plain fences beside it. Racy: the reader has no fence. Repaired: it has one.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void pass(int* out) {
  __shared__ int data;
  __shared__ int flag;
  if (threadIdx.x == 0) {
    flag = 0;
  }
  __syncthreads();
  if (threadIdx.x == 1) {
    data = 42; // @data
    __threadfence_block();
    atomicExch_block(&flag, 1);
  } else {
    while (atomicAdd_block(&flag, 0) == 0) {
    }
#ifndef RACY
    __threadfence_block();
#endif
    out[threadIdx.x] = data; // race: data-race with @data
  }
}

int main() {
  pass<<<1, 4>>>(zeros(4));
  return finish();
}
