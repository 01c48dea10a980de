// One thread writes a value for all. Repaired: with barriers before others read it and before it is written again.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void pick(const int* in, int* out) {
  __shared__ int chosen;
  for (int i = 0; i < 3; ++i) {
    if (threadIdx.x == 0) {
      chosen = in[i]; // @write
    }
    __syncthreads();
    out[i * 8 + threadIdx.x] = chosen; // race: data-race with @write
#ifndef RACY
    __syncthreads();
#endif
  }
}

int main() {
  pick<<<1, 8>>>(copied(counting(3)), zeros(24));
  return finish();
}
