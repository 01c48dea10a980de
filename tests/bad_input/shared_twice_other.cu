// The other source of shared_twice.cu.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"

__device__ int counter = 2;

__global__ void count_here() {
  ++counter;
}

void other() {
  count_here<<<1, 1>>>();
  cudaDeviceSynchronize();
}
