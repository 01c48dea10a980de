// Blocks that poll by plain reads: plain MODE. A compiler may read once, but may not let the loop
// end. SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstdio>
#include <cstring>

// The other block writes it, which is a race.
__global__ void passed(int* flag, int* out) {
  if (blockIdx.x == 0) {
    *flag = 1;
  } else {
    while (*flag == 0) { // polled
    }
    *out = 1;
  }
}

// Nobody does.
__global__ void threads(int* flag, int* out) {
  while (*flag == 0) { // by a thread
  }
  *out = 1;
}
__tile_global__ void tiles(int* flag, int* out) {
  while (*flag == 0) { // by a block
  }
  *out = 1;
}

int main(int count, char** arguments) {
  const char* const mode = count > 1 ? arguments[1] : "";
  int* p = nullptr;
  cudaMalloc(&p, 2 * sizeof(int));
  cudaMemset(p, 0, 2 * sizeof(int));
  if (std::strcmp(mode, "passed") == 0) {
    passed<<<2, 1>>>(p, p + 1);
  } else if (std::strcmp(mode, "threads") == 0) {
    threads<<<1, 1>>>(p, p + 1);
  } else {
    tiles<<<1, 1>>>(p, p + 1);
  }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(p);
}
