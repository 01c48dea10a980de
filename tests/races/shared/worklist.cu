// A worklist in shared memory: threads put what they find behind a counter. Racy: what stands in the list is read
// as soon as the counter says that it does. Repaired: behind a barrier.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void evens(const int* in, int* out) {
  __shared__ int list[16];
  __shared__ int length;
  if (threadIdx.x == 0) {
    length = 0;
  }
  __syncthreads();
  const int mine = in[threadIdx.x];
  if (mine % 2 == 0) {
    list[atomicAdd(&length, 1)] = mine; // @entry
  }
#ifdef RACY
  while (atomicAdd(&length, 0) != 8) {
  }
#else
  __syncthreads();
#endif
  if (threadIdx.x < 8) {
    out[threadIdx.x] = list[threadIdx.x]; // race: data-race with @entry; may: uninitialised-read
  }
}

int main() {
  evens<<<1, 16>>>(copied(counting(16)), zeros(8));
  return finish();
}
