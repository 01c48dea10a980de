// Threads whose work is over leave the loop, and with it the barriers. Racy: those that stay meet without them, and what
// one that left wrote last is ordered with nothing. Repaired: all stay to the end.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void rounds(int* out) {
  __shared__ int row[8];
  const unsigned t = threadIdx.x;
#ifdef RACY
  const unsigned mine = 1 + t % 2;
#else
  const unsigned mine = 2;
#endif
  for (unsigned round = 0; round < mine; ++round) {
    row[t] = static_cast<int>(round);
    __syncthreads();
  }
  __syncthreads(); // race: barrier-divergence
  out[t] = row[7 - t];
}

int main() {
  rounds<<<1, 8>>>(zeros(8));
  return finish();
}
