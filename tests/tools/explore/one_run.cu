// Two threads of a block, in order; that wait at different barriers; one of which reads what nobody has written.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

__global__ void pair(int* out) {
  __shared__ int told[2];
#ifdef UNWRITTEN
  if (threadIdx.x == 0)
#endif
    told[threadIdx.x] = 1;
#ifdef BARRIER
  if (threadIdx.x == 0)
    __syncthreads();
  else {
    __syncthreads();
  }
#else
  __syncthreads();
#endif
  out[threadIdx.x] = told[1 - threadIdx.x];
}

int main() {
  int* out = zeros(2);
  pair<<<1, 2>>>(out);
  std::printf("%d\n", taken(out, 2)[1]);
  cudaFree(out);
}
