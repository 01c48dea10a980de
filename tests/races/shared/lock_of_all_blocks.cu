// A lock in device memory that one thread of each block takes for its block's sum in shared memory. Racy: the lock's
// fences are of block scope. Repaired: of device scope.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__device__ void fence() {
#ifdef RACY
  __threadfence_block();
#else
  __threadfence();
#endif
}

__global__ void sum(int* lock, int* total) {
  __shared__ int mine;
  if (threadIdx.x == 0) {
    mine = 0;
  }
  __syncthreads();
  atomicAdd_block(&mine, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    fence();
    *total = *total + mine; // race: data-race
    fence();
    atomicExch(lock, 0);
  }
}

int main() {
  sum<<<4, 8>>>(zeros(1), zeros(1));
  return finish();
}
