// Two arrays in one piece of dynamic shared memory. Racy: the second begins one element early.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void halves(int* out, int n) {
  extern __shared__ int all[];
  int* const first = all;
#ifdef RACY
  int* const second = all + n - 1;
#else
  int* const second = all + n;
#endif
  const unsigned t = threadIdx.x;
  first[t] = 1;  // @first
  second[t] = 2; // race: data-race with @first
  __syncthreads();
  out[t] = first[t] + second[t];
}

int main() {
  halves<<<1, 8, 16 * sizeof(int)>>>(zeros(8), 8);
  return finish();
}
