// Two rows that take turns need one barrier a round. Racy: one row, with the same barrier.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void rounds(const int* in, int* out) {
  __shared__ int rows[2][8];
  const unsigned t = threadIdx.x;
  int all = 0;
  for (int round = 0; round < 4; ++round) {
#ifdef RACY
    int(&row)[8] = rows[0];
#else
    int(&row)[8] = rows[round % 2];
#endif
    row[t] = in[t] + round; // @write
    __syncthreads();
    all += row[(t + 1) % 8]; // race: data-race with @write
  }
  if (blockIdx.x == 0) {
    out[t] = all;
  }
}

int main() {
  rounds<<<2, 8>>>(copied(counting(8)), zeros(8));
  return finish();
}
