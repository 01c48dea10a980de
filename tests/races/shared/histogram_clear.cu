// Bins in shared memory are cleared by the first threads. Racy: others count before that is over. Repaired: a barrier.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void count(const int* in, int* out) {
  __shared__ int bins[4];
  const unsigned t = threadIdx.x;
  if (t < 4) {
    bins[t] = 0; // @clear
  }
#ifndef RACY
  __syncthreads();
#endif
  atomicAdd(&bins[in[t] % 4], 1); // race: data-race with @clear; may: uninitialised-read
  __syncthreads();
  if (t < 4) {
    out[t] = bins[t];
  }
}

int main() {
  count<<<1, 16>>>(copied(counting(16)), zeros(4));
  return finish();
}
