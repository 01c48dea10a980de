// A block waits for a flag by updates that change nothing: HOW=0 adds 0, 1 takes the larger one of it and 0, 2 adds 0 as a tile
// block. The other sets it; NEVER: it does not.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

#if HOW == 2
__tile_global__ void pass(int* flag, int* seen) {
  const auto scope = ct::thread_scope_device_t{};
  if (ct::bid().x == 1) {
#ifndef NEVER
    ct::atomic_xchg(flag, 1, ct::memory_order_relaxed_t{}, scope);
#endif
    return;
  }
  while (ct::atomic_add(flag, 0, ct::memory_order_relaxed_t{}, scope) == 0) {
  }
  ct::store(seen, 1);
}
#else
__global__ void pass(int* flag, int* seen) {
  if (blockIdx.x == 1) {
#ifndef NEVER
    atomicExch(flag, 1);
#endif
    return;
  }
#if HOW == 0
  while (atomicAdd(flag, 0) == 0) {
  }
#else
  while (atomicMax(flag, 0) == 0) {
  }
#endif
  *seen = 1;
}
#endif

int main() {
  int* const flag = zeros(1);
  int* const seen = zeros(1);
  pass<<<2, 1>>>(flag, seen);
  cudaDeviceSynchronize();
  cudaFree(flag);
  cudaFree(seen);
}
