// A race of two threads beside many that do nothing but come to a barrier, by __syncthreads or (ARRIVE) without waiting there:
// in which order these come is nobody's business, so that each state has a replay.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

__global__ void crowd(int* seen, int* out) {
  if (threadIdx.x == 0) {
    *seen = 42;
  }
  if (threadIdx.x == 32) {
    *out = *seen;
  }
#ifdef ARRIVE
  if (threadIdx.x < 32) {
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else if (threadIdx.x < 64) {
    asm volatile("bar.sync 1, 64;" ::: "memory");
  }
#else
  __syncthreads();
#endif
}

int main() {
  int* const seen = zeros(1);
  int* const out = zeros(1);
  crowd<<<1, 64>>>(seen, out);
  std::printf("%d\n", taken(out, 1)[0]);
  cudaFree(seen);
  cudaFree(out);
}
