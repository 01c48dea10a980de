// The classic last block: each block leaves a sum and counts itself by atomicAdd, which is relaxed. What orders the sums
// is __threadfence on both sides. Racy: without.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void reduce(int* sums, int* arrived, int* total) {
  sums[blockIdx.x] = 1; // @sum
#ifndef RACY
  __threadfence();
#endif
  if (atomicAdd(arrived, 1) == 3) {
#ifndef RACY
    __threadfence();
#endif
    for (int b = 0; b < 4; ++b) {
      *total += sums[b]; // race: data-race with @sum
    }
  }
}

int main() {
  reduce<<<4, 1>>>(zeros(4), zeros(1), zeros(1));
  return finish();
}
