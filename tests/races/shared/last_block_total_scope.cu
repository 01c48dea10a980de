// The last block adds up what all threads of all blocks have written. Racy: each thread fences what it has written, in
// its block alone. Repaired: in the device.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__device__ unsigned done;

__global__ void sum(int* partial, int* out) {
  __shared__ bool last;
  const unsigned t = threadIdx.x;
  partial[blockIdx.x * 4 + t] = 1; // @partial
#ifdef RACY
  __threadfence_block();
#else
  __threadfence();
#endif
  __syncthreads();
  if (t == 0) {
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
