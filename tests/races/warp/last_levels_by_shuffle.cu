// The last levels of a tree of sums by shuffles. Racy: what the second warp left in shared memory is read without a
// barrier of the block. Repaired: with one.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void sum(const int* in, int* out) {
  __shared__ int partial[64];
  const unsigned t = threadIdx.x;
  partial[t] = in[t]; // @partial
#ifdef RACY
  __syncwarp();
#else
  __syncthreads();
#endif
  if (t < 32) {
    int mine = partial[t] + partial[t + 32]; // race: data-race with @partial; may: uninitialised-read
    for (int distance = 16; distance > 0; distance /= 2) {
      mine += __shfl_xor_sync(0xffffffffU, mine, distance);
    }
    if (t == 0) {
      *out = mine;
    }
  }
}

int main() {
  sum<<<1, 64>>>(copied(counting(64)), zeros(1));
  return finish();
}
