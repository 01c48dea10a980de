// Lanes exchange values by shared memory of their warp, round by round. Racy: one __syncwarp a round. Repaired: two.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void turn(int* out) {
  __shared__ int row[64];
  const unsigned t = threadIdx.x;
  int mine = static_cast<int>(t);
  for (int round = 0; round < 3; ++round) {
    row[t] = mine; // @write
    __syncwarp();
    mine = row[(t & 32U) | ((t + 1) % 32)]; // race: data-race with @write
#ifndef RACY
    __syncwarp();
#endif
  }
  out[t] = mine;
}

int main() {
  turn<<<1, 64>>>(zeros(64));
  return finish();
}
