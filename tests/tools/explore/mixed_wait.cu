// A block of one thread and a block of two wait for what nobody writes, each launched on a stream of its own.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

__global__ void waits(int* flag) {
  while (shared(*flag).load(acquire) == 0) {
  }
}

int main() {
  int* const flag = zeros(1);
  cudaStream_t one;
  cudaStream_t other;
  cudaStreamCreate(&one);
  cudaStreamCreate(&other);
  waits<<<1, 1, 0, one>>>(flag);
  waits<<<1, 2, 0, other>>>(flag);
  cudaDeviceSynchronize();
}
