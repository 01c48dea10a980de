// Lanes that exchange through shared memory. Racy: the mask of __syncwarp leaves the readers out.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void exchange(int* out) {
  __shared__ int row[32];
  const unsigned t = threadIdx.x;
#ifdef RACY
  row[t] = static_cast<int>(t); // @write
  __syncwarp(t < 16 ? 0x0000ffffU : 0xffff0000U);
#else
  row[t] = static_cast<int>(t);
  __syncwarp();
#endif
  out[t] = row[(t + 16) % 32]; // race: data-race with @write; may: uninitialised-read
}

int main() {
  exchange<<<1, 32>>>(zeros(32));
  return finish();
}
