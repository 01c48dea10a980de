// A thread reads another one's local array by a pointer in shared memory.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"

__global__ void hands_out(int* out) {
  __shared__ const int* row;
  const int t = static_cast<int>(threadIdx.x);
  int mine[2] = {t, t + 1};
  if (t == 0) {
    row = mine;
  }
  __syncthreads();
  const int i = t & 1;
  out[t] = row[i]; // line 14
  __syncthreads();
}

int main() {
  int* p = nullptr;
  cudaMalloc(&p, 32 * sizeof(int));
  hands_out<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  cudaFree(p);
}
