// A barrier orders what its block does in device memory, too. Racy: it is another block that reads.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void swap(int* data, int* out) {
  const unsigned t = threadIdx.x;
  data[blockIdx.x * 8 + t] = static_cast<int>(t); // @write
  __syncthreads();
#ifdef RACY
  out[blockIdx.x * 8 + t] = data[(1 - blockIdx.x) * 8 + t]; // race: data-race with @write
#else
  out[blockIdx.x * 8 + t] = data[blockIdx.x * 8 + 7 - t];
#endif
}

int main() {
  swap<<<2, 8>>>(zeros(16), zeros(16));
  return finish();
}
