// Two sums by one array of shared memory. Racy: the second begins to write while the first one's result is read.
// Repaired: a barrier behind the read.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__device__ int sum_of_block(int* partial, int mine) {
  const unsigned t = threadIdx.x;
  partial[t] = mine; // @again
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) {
      partial[t] += partial[t + half];
    }
    __syncthreads();
  }
  const int all = partial[0]; // race: data-race with @again
#ifndef RACY
  __syncthreads();
#endif
  return all;
}

__global__ void sums(const int* in, int* out) {
  __shared__ int partial[32];
  const int first = sum_of_block(partial, in[threadIdx.x]);
  const int second = sum_of_block(partial, first - in[threadIdx.x]);
  if (threadIdx.x == 0) {
    *out = second;
  }
}

int main() {
  sums<<<1, 32>>>(copied(counting(32)), zeros(1));
  return finish();
}
