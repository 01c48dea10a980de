// As shared_twice.cu, of a name that stands for a type where names are mangled.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"

#include <cstdio>

__device__ int v = 1;

int other();

__global__ void count() {
  v += 10;
}

int main() {
  count<<<1, 1>>>();
  int own = 0;
  cudaMemcpyFromSymbol(&own, v, sizeof own);
  printf("%d and %d\n", own, other());
}
