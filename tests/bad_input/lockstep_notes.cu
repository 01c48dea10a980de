// Volatile accesses of one warp that nothing orders, and that need no lanes in step: a flag that a lane waits for, one
// statement's stores, places outside of shared memory.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"

#include <cstring>

__global__ void flag(int* out) {
  __shared__ volatile int ready;
  if (threadIdx.x == 0) {
    ready = 0;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    while (ready == 0) {
    }
    *out = 1;
  } else {
    ready = 1;
  }
}

__global__ void statement() {
  __shared__ volatile int last;
  last = static_cast<int>(threadIdx.x);
}

__global__ void global(volatile int* p) {
  if (threadIdx.x == 0) {
    p[0] = 1;
  } else if (p[0] != 0) {
    p[threadIdx.x] = 1;
  }
}

int main(int, char** words) {
  int* p = nullptr;
  cudaMalloc(&p, 64 * sizeof(int));
  cudaMemset(p, 0, 64 * sizeof(int));
  cudaDeviceSynchronize();
  if (std::strcmp(words[1], "flag") == 0) {
    flag<<<1, 2>>>(p);
  } else if (std::strcmp(words[1], "statement") == 0) {
    statement<<<1, 32>>>();
  } else {
    global<<<1, 32>>>(p);
  }
  cudaDeviceSynchronize();
  cudaFree(p);
}
