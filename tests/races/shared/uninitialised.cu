// Only some threads fill the row, and one more reads it. Repaired: as many.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void some(int* out) {
  __shared__ int row[8];
  const unsigned t = threadIdx.x;
#ifdef RACY
  const unsigned filled = 7;
#else
  const unsigned filled = 8;
#endif
  if (t < filled) {
    row[t] = 1;
  }
  __syncthreads();
  out[blockIdx.x * 8 + t] = row[t]; // race: uninitialised-read
}

int main() {
  some<<<2, 8>>>(zeros(16));
  return finish();
}
