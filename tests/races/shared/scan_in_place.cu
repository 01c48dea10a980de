// A scan in place: each step reads a neighbour and writes the own element. Racy: only one barrier a step. Repaired:
// one between reads and writes, too.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void scan(const int* in, int* out) {
  __shared__ int row[16];
  const unsigned t = threadIdx.x;
  row[t] = in[t];
  __syncthreads();
  for (unsigned distance = 1; distance < 16; distance *= 2) {
    const int left = t >= distance ? row[t - distance] : 0; // race: data-race with @write
#ifndef RACY
    __syncthreads();
#endif
    row[t] = row[t] + left; // @write
    __syncthreads();
  }
  out[t] = row[t];
}

int main() {
  scan<<<1, 16>>>(copied(counting(16)), zeros(16));
  return finish();
}
