// A stencil over a row with a halo that two threads more load. Racy: the halo is loaded behind the barrier. Repaired:
// before it.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void smooth(const int* in, int* out) {
  __shared__ int row[10];
  const unsigned t = threadIdx.x;
  row[t + 1] = in[t + 1];
#ifdef RACY
  __syncthreads();
#endif
  if (t == 0) {
    row[0] = in[0]; // @first
  }
  if (t == 7) {
    row[9] = in[9];
  }
#ifndef RACY
  __syncthreads();
#endif
  out[t] = row[t] + row[t + 1] + row[t + 2];
  if (t == 7) {
    out[8] = row[0]; // race: data-race with @first; may: uninitialised-read
  }
}

int main() {
  smooth<<<1, 8>>>(copied(counting(10)), zeros(9));
  return finish();
}
