// A row that is filled again while others still read it: a barrier behind the writes, and none behind the reads.
// Repaired: one there, too.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void rounds(const int* in, int* out) {
  __shared__ int row[8];
  const unsigned t = threadIdx.x;
  int all = 0;
  for (int round = 0; round < 3; ++round) {
    row[t] = in[t] + round; // @write
    __syncthreads();
    all += row[7 - t]; // race: data-race with @write
#ifndef RACY
    __syncthreads();
#endif
  }
  out[blockIdx.x * 8 + t] = all;
}

int main() {
  rounds<<<2, 8>>>(copied(counting(8)), zeros(16));
  return finish();
}
