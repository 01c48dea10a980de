// Two buffers are swapped behind a launch, before the host waits for it: what is told of the launch has the names of
// its call. TWICE: behind that it is launched with the two swapped, so that neither has one name.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

#include <utility>

__tile_global__ void advance(const int* from, int* to) {
  const int seen = (int)ct::load(from);
#ifdef RACY
  ct::store(to, (int)ct::bid().x + seen);
#else
  shared(*to).store((int)ct::bid().x + seen, relaxed);
#endif
}

int main() {
  int* cur = zeros(1);
  int* next = zeros(1);
  advance<<<2, 1>>>(cur, next);
  std::swap(cur, next);
#ifdef TWICE
  advance<<<2, 1>>>(cur, next);
#endif
  cudaDeviceSynchronize();
}
