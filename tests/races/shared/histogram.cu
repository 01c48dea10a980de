// A histogram in shared memory. Racy: bins are counted up without atomics.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void count(const int* in, int* out) {
  __shared__ int bins[4];
  const unsigned t = threadIdx.x;
  if (t < 4) {
    bins[t] = 0;
  }
  __syncthreads();
#ifdef RACY
  bins[in[t] % 4] += 1; // race: data-race
#else
  atomicAdd(&bins[in[t] % 4], 1);
#endif
  __syncthreads();
  if (t < 4) {
    atomicAdd(&out[t], bins[t]);
  }
}

int main() {
  count<<<2, 16>>>(copied(counting(16)), zeros(4));
  return finish();
}
