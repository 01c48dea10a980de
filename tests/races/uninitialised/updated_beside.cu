// A histogram in shared memory whose bins are updated, read and stored, and never cleared: that an update has changed one
// says nothing of the others. Repaired: they are cleared first.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void count(const int* values, int* out) {
  __shared__ int bins[64];
  const int i = static_cast<int>(threadIdx.x);
#ifndef RACY
  bins[i] = 0;
  bins[i + 32] = 0;
  __syncthreads();
#endif
  atomicAdd(&bins[values[i]], 1); // race: uninitialised-read
  __syncthreads();
  out[i] = bins[i + 32]; // race: uninitialised-read
}

int main() {
  count<<<1, 32>>>(copied(counting(32)), unwritten(32));
  return finish();
}
