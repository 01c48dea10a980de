// The other source of shared_letter.cu.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"

__device__ int v = 1;

int other() {
  int own = 0;
  cudaMemcpyFromSymbol(&own, v, sizeof own);
  return own;
}
