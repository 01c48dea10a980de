// Two arrays in one extern __shared__ array. Racy: the second begins an element too early. Repaired: where the first ends.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void two_rows(int* out) {
  extern __shared__ int memory[];
  const int n = static_cast<int>(blockDim.x);
  const int t = static_cast<int>(threadIdx.x);
  int* const row = memory;
#ifdef RACY
  int* const other = memory + n - 1;
#else
  int* const other = memory + n;
#endif
  row[t] = t;    // @row
  other[t] = -t; // race: data-race with @row
  __syncthreads();
  out[t] = row[n - 1 - t] + other[n - 1 - t];
}

int main() {
  two_rows<<<1, 16, 2 * 16 * sizeof(int)>>>(zeros(16));
  return finish();
}
