// Two halves of a block wait at barriers of their own. Repaired: at one.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void halves(int* out) {
  __shared__ int row[8];
  const unsigned t = threadIdx.x;
#ifdef RACY
  if (t < 4) {
    row[t] = 1;
    __syncthreads(); // race: barrier-divergence
  } else {
    row[t] = 2;
    __syncthreads();
  }
#else
  row[t] = t < 4 ? 1 : 2;
  __syncthreads();
#endif
  out[t] = row[7 - t];
}

int main() {
#ifdef RACY
  std::printf("expect: threads 0..3 of block (0,0,0) of halves wait at divergent_barrier.cu:11: "
              "__syncthreads\n");
  std::printf("expect: threads 4..7 of block (0,0,0) of halves wait at divergent_barrier.cu:14: "
              "__syncthreads\n");
#endif
  halves<<<1, 8>>>(zeros(8));
  return finish();
}
