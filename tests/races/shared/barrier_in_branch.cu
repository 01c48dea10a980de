// A barrier that some threads of a block leave out: they end first. What the others do behind it is not ordered with
// what these have still to do in device memory. Repaired: all come to it.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void branch(int* data, int* out) {
  const unsigned t = threadIdx.x;
  if (t < 4) {
    data[t] = 1; // @write
#ifdef RACY
    __syncthreads();
#endif
  }
#ifndef RACY
  __syncthreads();
#endif
  if (t >= 4) {
    out[t] = data[t - 4]; // race: data-race with @write
  }
}

int main() {
  branch<<<1, 8>>>(zeros(4), zeros(8));
  return finish();
}
