// Values spread until none changes, which __syncthreads_or tells. Racy: it is the only barrier of a round, so that a neighbour is read
// while it is written. Repaired: what is read is behind a barrier of its own.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void spread(int* in_and_out) {
  __shared__ int level[16];
  const int t = static_cast<int>(threadIdx.x);
  level[t] = in_and_out[t];
  __syncthreads();
  int changed = 0;
  do {
    const int left = t == 0 ? 0 : level[t - 1]; // race: data-race with @level
    changed = left > level[t] ? 1 : 0;
#ifndef RACY
    __syncthreads();
#endif
    if (changed != 0) {
      level[t] = left; // @level
    }
  } while (__syncthreads_or(changed) != 0);
  in_and_out[t] = level[t];
}

int main() {
  std::vector<int> values(16, 0);
  values[0] = 3;
  values[4] = 5;
  spread<<<1, 16>>>(copied(values));
  return finish();
}
