// Warps add up by shuffles, and the first warp adds up what they leave in shared memory. Racy: no barrier between
// the two. Repaired: one.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__device__ int sum_of_warp(int mine) {
  for (int distance = 16; distance > 0; distance /= 2) {
    mine += __shfl_down_sync(0xffffffffU, mine, distance);
  }
  return mine;
}

__global__ void sum(const int* in, int* out) {
  __shared__ int of_warps[4];
  const unsigned t = threadIdx.x;
  const int mine = sum_of_warp(in[t]);
  if (t % 32 == 0) {
    of_warps[t / 32] = mine; // @left
  }
#ifndef RACY
  __syncthreads();
#endif
  if (t < 32) {
    const int all = sum_of_warp(t < 4 ? of_warps[t] : 0); // race: data-race with @left; may: uninitialised-read
    if (t == 0) {
      *out = all;
    }
  }
}

int main() {
  sum<<<1, 128>>>(copied(counting(128)), zeros(1));
  return finish();
}
