// Load buffering: each block reads the other's place and then writes its own. That both read 1 takes load buffering.
// DEPENDENT: what is written is what was read, so that nobody can begin. ALWAYS: that only looks so.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

__global__ void cross(int* places, int* seen) {
  const int me = static_cast<int>(blockIdx.x);
  const int got = shared(places[me]).load(relaxed);
#if defined(DEPENDENT)
  shared(places[1 - me]).store(got, relaxed);
#elif defined(ALWAYS)
  shared(places[1 - me]).store(got == 0 ? 1 : got, relaxed);
#else
  shared(places[1 - me]).store(1, relaxed);
#endif
  seen[me] = got;
}

int main() {
  int* const places = zeros(2);
  int* const seen = zeros(2);
  cross<<<2, 1>>>(places, seen);
  const std::vector<int> got = taken(seen, 2);
  cudaFree(places);
  cudaFree(seen);
  return got[0] + got[1] < 2 ? 0 : 1;
}
