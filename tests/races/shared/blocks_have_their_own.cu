// Shared memory is each block's own. Racy: what should be is device memory.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void fill(int* scratch, int* out) {
#ifdef RACY
  int* const row = scratch;
#else
  __shared__ int row[8];
  (void)scratch;
#endif
  row[threadIdx.x] = static_cast<int>(blockIdx.x); // race: data-race; may: data-race with @read
  __syncthreads();
  out[blockIdx.x * 8 + threadIdx.x] = row[7 - threadIdx.x]; // @read
}

int main() {
  fill<<<3, 8>>>(zeros(8), zeros(24));
  return finish();
}
