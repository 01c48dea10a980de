// Blocks that count in one place by a function whose name says block.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"

__global__ void count(int* p) {
  atomicAdd_block(p, 1); // line 6
}

int main() {
  int* p = nullptr;
  cudaMalloc(&p, sizeof(int));
  cudaMemset(p, 0, sizeof(int));
  count<<<2, 1>>>(p);
  cudaDeviceSynchronize();
  cudaFree(p);
}
