// Each block counts in shared memory and adds its bins to those of all blocks. Racy: the additions are of block scope, as
// those to its own bins may be. Repaired: of device scope.
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
  atomicAdd_block(&mine[in[blockIdx.x * 16 + t] % 4], 1);
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
  count<<<3, 16>>>(copied(counting(48)), zeros(4));
  return finish();
}
