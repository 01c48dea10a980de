// A block of a warp and a quarter, whose threads do the same line by line.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

__global__ void steps(int* a, int* b, int* c) {
  const unsigned t = threadIdx.x;
  a[t] = 1;
  b[t] = 2;
  __syncthreads();
  c[t] = a[39 - t];
  b[t] = 4;
}

int main() {
  int* all = nullptr;
  cudaMalloc(&all, 120 * sizeof(int));
  steps<<<1, 40>>>(all, all + 40, all + 80);
  cudaFree(all);
  return 0;
}
