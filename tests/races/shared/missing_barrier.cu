// Each thread writes its element and reads its neighbour's. Repaired: with a barrier in between.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void shift(const int* in, int* out) {
  __shared__ int row[8];
  row[threadIdx.x] = in[threadIdx.x]; // @write
#ifndef RACY
  __syncthreads();
#endif
  out[threadIdx.x] = row[(threadIdx.x + 1) % 8]; // race: data-race with @write; may: uninitialised-read
}

int main() {
#ifdef RACY
  std::printf("expect: ] of int[8], byte\n");
  std::printf("expect: bytes of shared memory of block (0,0,0) of shift, declared at "
              "missing_barrier.cu:7\n");
  std::printf("expect: to fix: let the threads of the block meet in between: __syncthreads()\n");
#endif
  shift<<<1, 8>>>(copied(counting(8)), zeros(8));
  return finish();
}
