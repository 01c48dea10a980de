// A tree of sums in shared memory. Racy: no barrier between two levels of it. Repaired: one.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

constexpr int threads = 64;

__global__ void sum(const int* in, int* out) {
  __shared__ int partial[threads];
  const unsigned t = threadIdx.x;
  partial[t] = in[t];
  __syncthreads();
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    if (t < half) {
      partial[t] = partial[t] + partial[t + half]; // race: data-race
    }
#ifndef RACY
    __syncthreads();
#endif
  }
  if (t == 0) {
    *out = partial[0];
  }
}

int main() {
  sum<<<1, threads>>>(copied(counting(threads)), zeros(1));
  return finish();
}
