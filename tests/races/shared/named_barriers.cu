// One warp fills a row, another one reads it; two named barriers hand it to and fro. Racy: the row counts as filled
// before it is.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__device__ void meet(int barrier) {
  asm volatile("bar.sync %0, 64;" ::"r"(barrier) : "memory");
}
__device__ void arrive(int barrier) {
  asm volatile("bar.arrive %0, 64;" ::"r"(barrier) : "memory");
}

constexpr int full = 1;
constexpr int empty = 2;

__global__ void hand_over(const int* in, int* out, int rounds) {
  __shared__ int row[32];
  const unsigned lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    row[lane] = 0;
  }
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x < 32) {
      if (round != 0) {
        meet(empty);
      }
#ifdef RACY
      arrive(full);
#endif
      row[lane] = in[lane] + round; // @fill
#ifndef RACY
      arrive(full);
#endif
    } else {
      meet(full);
      out[blockIdx.x * 32 + lane] += row[31 - lane]; // race: data-race with @fill
      if (round + 1 != rounds) {
        arrive(empty);
      }
    }
  }
}

int main() {
  hand_over<<<2, 64>>>(copied(counting(32)), zeros(64), 3);
  return finish();
}
