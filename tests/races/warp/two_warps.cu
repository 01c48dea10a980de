// __syncwarp is one warp's. Racy: the two of a block exchange. Repaired: __syncthreads.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void exchange(int* out) {
  __shared__ int row[64];
  const unsigned t = threadIdx.x;
  row[t] = static_cast<int>(t); // @write
#ifdef RACY
  __syncwarp();
#else
  __syncthreads();
#endif
  out[t] = row[63 - t]; // race: data-race with @write; may: uninitialised-read
}

int main() {
  exchange<<<1, 64>>>(zeros(64));
  return finish();
}
