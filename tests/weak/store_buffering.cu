// Each thread writes its place and reads the other's: one sees the other's write. Right: a sequentially consistent fence
// between. Weakened: an acquire-release one, which orders no store before a load.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

#ifdef WEAKENED
constexpr auto between = cuda::memory_order_acq_rel;
#else
constexpr auto between = cuda::memory_order_seq_cst;
#endif

__global__ void look(int* places, int* seen) {
  const int me = static_cast<int>(blockIdx.x);
  shared(places[me]).store(1, cuda::memory_order_relaxed);
  cuda::atomic_thread_fence(between, cuda::thread_scope_device);
  seen[me] = shared(places[1 - me]).load(cuda::memory_order_relaxed); // stale
}

int main() {
  int* const places = zeros(2);
  int* const seen = zeros(2);
  look<<<2, 1>>>(places, seen);
  const std::vector<int> got = taken(seen, 2);
  cudaFree(places);
  const bool right = got[0] + got[1] > 0;
  std::printf("%s\n", right ? "one at least was seen" : "neither was seen");
  return right ? 0 : 1;
}
