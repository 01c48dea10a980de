// A histogram in shared memory that its block adds to the one in device memory. Racy: with atomics of block scope,
// which other blocks do not see as such. Repaired: of device scope.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void count(const int* in, int* bins) {
  __shared__ int mine[4];
  const unsigned t = threadIdx.x;
  if (t < 4) {
    mine[t] = 0;
  }
  __syncthreads();
  atomicAdd_block(&mine[in[t] % 4], 1);
  __syncthreads();
  if (t < 4) {
#ifdef RACY
    atomicAdd_block(&bins[t], mine[t]); // race: narrow-scope
#else
    atomicAdd(&bins[t], mine[t]);
#endif
  }
}

int main() {
  count<<<3, 16>>>(copied(counting(16)), zeros(4));
  return finish();
}
