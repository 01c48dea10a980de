// The last block to count itself adds up what all have written. Racy: nothing orders a block's sum before its count.
// Repaired: a fence before the count, and one behind it.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__device__ unsigned done;

__global__ void sum(int* partial, int* out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = 1; // @partial
#ifndef RACY
    __threadfence();
#endif
    last = atomicAdd(&done, 1) == gridDim.x - 1;
#ifndef RACY
    __threadfence();
#endif
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) {
    atomicAdd(out, partial[threadIdx.x]); // race: data-race with @partial
  }
}

int main() {
  const unsigned zero = 0;
  cudaMemcpyToSymbol(done, &zero, sizeof zero);
  sum<<<4, 8>>>(zeros(4), zeros(1));
  return finish();
}
