// Blocks of a grid arrive at its barrier and wait later. Racy: what others read behind it is written in between.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cooperative_groups.h>

#include <utility>

namespace cg = cooperative_groups;

__global__ void mirrored(int* cells, int* out) {
  const cg::grid_group grid = cg::this_grid();
  const unsigned n = gridDim.x * blockDim.x;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#ifndef RACY
  cells[i] = static_cast<int>(i); // @write
#endif
  auto token = grid.barrier_arrive();
#ifdef RACY
  cells[i] = static_cast<int>(i); // @write
#endif
  grid.barrier_wait(std::move(token));
  out[i] = cells[n - 1 - i]; // race: data-race with @write
}

int main() {
  int* cells = zeros(32);
  int* out = zeros(32);
  void* arguments[] = {&cells, &out};
  cudaLaunchCooperativeKernel(mirrored, dim3(4), dim3(8), arguments);
  return finish();
}
