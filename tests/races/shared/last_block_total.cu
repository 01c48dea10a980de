// The last block adds up what all threads of all blocks have written. Racy: no thread fences what it has written before
// the block meets. Repaired: each does, although one of them counts for all: its count is behind the others' fences, and
// the order of fences reaches across threads. [PTX: Fence-SC order]
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__device__ unsigned done;

__global__ void sum(int* partial, int* out) {
  __shared__ bool last;
  const unsigned t = threadIdx.x;
  partial[blockIdx.x * 4 + t] = 1; // @partial
#ifndef RACY
  __threadfence();
#endif
  __syncthreads();
  if (t == 0) {
    last = atomicAdd(&done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last) {
    __threadfence();
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
