// Variables of the device that a kernel writes.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cuda_runtime.h>

__device__ int counters[4];
__managed__ float level;

__global__ void writes() {
  counters[2] = 7;
  level = 1.5f;
}

int main() {
  writes<<<1, 1>>>();
  cudaDeviceSynchronize();
}
