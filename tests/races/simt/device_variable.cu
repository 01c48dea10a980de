// A __device__ variable that every block raises. Repaired: atomicAdd.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__device__ int launches;

__global__ void launch() {
#ifdef RACY
  launches = launches + 1; // race: data-race
#else
  atomicAdd(&launches, 1);
#endif
}

int main() {
  launch<<<4, 1>>>();
  int count = 0;
  cudaMemcpyFromSymbol(&count, launches, sizeof(int));
  return finish();
}
