// Each block reads what its neighbour has left in the round before. Racy: blocks meet threads of their own only.
// Repaired: all of the grid meet.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ void meet() {
#ifdef RACY
  cg::this_thread_block().sync();
#else
  cg::this_grid().sync();
#endif
}

__global__ void rounds(int* cells) {
  const int n = gridDim.x * blockDim.x;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < 2; ++round) {
    const int next = cells[(i + blockDim.x) % n]; // @read
    meet();
    cells[i] = next; // race: data-race with @read
    meet();
  }
}

int main() {
  int* cells = zeros(32);
  void* arguments[] = {&cells};
  cudaLaunchCooperativeKernel(rounds, dim3(4), dim3(8), arguments);
  return finish();
}
