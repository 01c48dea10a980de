// A lock in shared memory by atomicCAS and atomicExch. Racy: without fences. Repaired: one behind taking it and one
// before giving it back.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void count(int* out) {
  __shared__ int lock;
  __shared__ int n;
  if (threadIdx.x == 0) {
    lock = 0;
    n = 0;
  }
  __syncthreads();
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
#ifndef RACY
  __threadfence_block();
#endif
  n = n + 1; // race: data-race
#ifndef RACY
  __threadfence_block();
#endif
  atomicExch(&lock, 0);
  __syncthreads();
  if (threadIdx.x == 0) {
    *out = n;
  }
}

int main() {
  count<<<1, 8>>>(zeros(1));
  return finish();
}
