// Two threads write a place each, two others read both, the one's first first, the other's first first: they agree which
// came first. Right: sequentially consistent fences between their reads. Weakened: acquire loads, by which each may see the
// other's place too late (IRIW): memory is not multi-copy atomic.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

__global__ void look(int* places, int* seen) {
  const int me = static_cast<int>(blockIdx.x);
  if (me < 2) {
    shared(places[me]).store(1, cuda::memory_order_release);
    return;
  }
  seen[2 * (me - 2)] = shared(places[me - 2]).load(cuda::memory_order_acquire);
#ifndef WEAKENED
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
#endif
  seen[2 * (me - 2) + 1] = shared(places[3 - me]).load(cuda::memory_order_acquire); // stale
}

int main() {
  int* const places = zeros(2);
  int* const seen = zeros(4);
  look<<<4, 1>>>(places, seen);
  const std::vector<int> got = taken(seen, 4);
  cudaFree(places);
  const bool right = !(got[0] == 1 && got[1] == 0 && got[2] == 1 && got[3] == 0);
  std::printf("%s\n", right ? "they agree" : "they do not agree");
  return right ? 0 : 1;
}
