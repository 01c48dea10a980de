// Store buffering: each thread writes its place and reads the other's. 4 states relaxed, 3 under sc, and if ORDER is seq_cst.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

#ifndef ORDER
#define ORDER relaxed
#endif

__global__ void look(int* places, int* seen) {
  const int me = static_cast<int>(blockIdx.x);
  shared(places[me]).store(1, ORDER);
#ifdef FENCE
  cuda::atomic_thread_fence(FENCE, cuda::thread_scope_device);
#endif
  seen[me] = shared(places[1 - me]).load(ORDER);
}

int main() {
  int* const places = zeros(2);
  int* const seen = zeros(2);
  look<<<2, 1>>>(places, seen);
  const std::vector<int> got = taken(seen, 2);
  cudaFree(places);
  cudaFree(seen);
  return got[0] + got[1] > 0 ? 0 : 1;
}
