// The same tree as in warp_synchronous.cu with volatile sums, as it was written for devices whose lanes ran in step: no race
// by the PTX model, but what a lane reads is a matter of turns. Repaired: __syncwarp between reads and writes.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void sum(const int* in, int* out) {
  __shared__ volatile int partial[64];
  const unsigned t = threadIdx.x;
  partial[t] = in[t];
  __syncthreads();
  if (t < 32) {
    for (unsigned half = 32; half > 0; half /= 2) {
      const int mine = partial[t] + partial[t + half]; // race: warp-synchronous with @write
#ifndef RACY
      __syncwarp();
#endif
      partial[t] = mine; // @write
#ifndef RACY
      __syncwarp();
#endif
    }
  }
  if (t == 0) {
    *out = partial[0];
  }
}

int main() {
  sum<<<1, 64>>>(copied(counting(64)), zeros(1));
  return finish();
}
