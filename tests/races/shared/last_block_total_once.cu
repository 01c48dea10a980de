// The last block adds up what all threads of all blocks have written. Racy: the one that counts fences before its block
// meets, and no other does; what it knows of the others it comes to know behind its fence. Repaired: it fences behind the barrier.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__device__ unsigned done;

__global__ void sum(int* partial, int* out) {
  __shared__ bool last;
  const unsigned t = threadIdx.x;
  partial[blockIdx.x * 4 + t] = 1; // @partial
#ifdef RACY
  if (t == 0) {
    __threadfence();
  }
#endif
  __syncthreads();
  if (t == 0) {
#ifndef RACY
    __threadfence();
#endif
    last = atomicAdd(&done, 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (last) {
    for (unsigned i = t; i < gridDim.x * 4; i += 4) {
      atomicAdd(out, partial[i]); // race: data-race with @partial
    }
  }
}

int main() {
  const unsigned zero = 0;
  cudaMemcpyToSymbol(done, &zero, sizeof zero);
  sum<<<4, 4>>>(zeros(16), zeros(1));
  return finish();
}
