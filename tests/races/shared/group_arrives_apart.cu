// Threads of a block arrive at its barrier, work on something else, and wait. Racy: one writes behind its arrival what
// others read when they have waited.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cooperative_groups.h>

#include <utility>

namespace cg = cooperative_groups;

__global__ void neighbours(int* out) {
  __shared__ int cells[48];
  const cg::thread_block block = cg::this_thread_block();
  const unsigned t = threadIdx.x;
  cells[t] = 0;
  __syncthreads();
#ifndef RACY
  cells[t] = static_cast<int>(t); // @write
#endif
  auto token = block.barrier_arrive();
#ifdef RACY
  cells[t] = static_cast<int>(t); // @write
#endif
  const int own = static_cast<int>(t * 2);
  block.barrier_wait(std::move(token));
  out[blockIdx.x * 48 + t] = own + (t == 47 ? 0 : cells[t + 1]); // race: data-race with @write
}

int main() {
  neighbours<<<2, 48>>>(zeros(96));
  return finish();
}
