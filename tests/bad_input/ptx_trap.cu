// Instructions of PTX that have no dot: one thread of one block executes one of them.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"

#include <cstdio>
#include <cstdlib>

__global__ void ends(int how) {
  asm volatile("pmevent 1;"); // a hint to tools
  if (blockIdx.x == 1 && threadIdx.x == 3) {
    switch (how) {
    case 0: asm volatile("trap;"); break;
    case 1: asm volatile("brkpt;"); break;
    case 2: asm("ret;"); break;
    case 3: __trap();
    }
  }
}

int main(int, char** words) {
  ends<<<2, 4>>>(std::atoi(words[1]));
  cudaDeviceSynchronize();
  std::printf("went on\n");
}
