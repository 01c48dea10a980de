// Levels of a worklist in shared memory: one thread sets the length back between two of them. Racy: others may still
// read it. Repaired: a barrier between the last read and the reset.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void levels(int* out) {
  __shared__ int length;
  const unsigned t = threadIdx.x;
  if (t == 0) {
    length = 0;
  }
  __syncthreads();
  int seen = 0;
  for (int level = 0; level < 2; ++level) {
    atomicAdd(&length, 1);
    __syncthreads();
    seen += length; // race: data-race with @reset
#ifndef RACY
    __syncthreads();
#endif
    if (t == 0) {
      length = 0; // @reset
    }
    __syncthreads();
  }
  out[t] = seen;
}

int main() {
  levels<<<1, 8>>>(zeros(8));
  return finish();
}
