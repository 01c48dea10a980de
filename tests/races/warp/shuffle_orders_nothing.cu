// A shuffle hands on its value and orders nothing else. Repaired: __syncwarp behind the write.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void exchange(int* out) {
  __shared__ int row[32];
  const unsigned t = threadIdx.x;
  row[t] = static_cast<int>(t); // @write
#ifndef RACY
  __syncwarp();
#endif
  const int other = __shfl_xor_sync(0xffffffffU, static_cast<int>(t), 1);
  out[t] = row[other]; // race: data-race with @write
}

int main() {
  exchange<<<1, 32>>>(zeros(32));
  return finish();
}
