// A kernel of threads that uses shared memory.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

__global__ void exchange(int* out) {
  __shared__ int cells[4];
  cells[threadIdx.x] = static_cast<int>(threadIdx.x);
  out[threadIdx.x] = cells[threadIdx.x ^ 1];
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 4 * sizeof(int));
  exchange<<<1, 4>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
