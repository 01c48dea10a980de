// A sum of a block that is smaller than a warp, by shuffles of all lanes: what comes from lanes that are not there is dropped.
// By the arguments: the block's threads, and how many of them take part to the end.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"

#include <cstdlib>

__global__ void sum(int* out, unsigned taking_part) {
  if (threadIdx.x >= taking_part) {
    return;
  }
  int mine = 1;
  for (unsigned by = 16; by > 0; by /= 2) {
    const int other = __shfl_down_sync(0xffffffffU, mine, by); // line 14
    mine += threadIdx.x + by < taking_part ? other : 0;
  }
  out[threadIdx.x] = mine;
}

int main(int, char** words) {
  int* p = nullptr;
  cudaMalloc(&p, 32 * sizeof(int));
  sum<<<1, static_cast<unsigned>(std::atoi(words[1]))>>>(p, static_cast<unsigned>(std::atoi(words[2])));
  cudaDeviceSynchronize();
  cudaFree(p);
}
