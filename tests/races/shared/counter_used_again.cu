// Elements are counted round by round with one counter in shared memory. Racy: a thread sets it back while others still read
// what it has counted. Repaired: behind a barrier.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void count(const int* in, int* out) {
  __shared__ int found;
  for (int round = 0; round < 2; ++round) {
    if (threadIdx.x == 0) {
      found = 0; // @reset
    }
    __syncthreads();
    if (in[round * 16 + threadIdx.x] % 3 == round) {
      atomicAdd(&found, 1);
    }
    __syncthreads();
    out[round * 16 + threadIdx.x] = found; // race: data-race with @reset
#ifndef RACY
    __syncthreads();
#endif
  }
}

int main() {
  count<<<1, 16>>>(copied(counting(32)), zeros(32));
  return finish();
}
