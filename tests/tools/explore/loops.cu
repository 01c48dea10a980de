// Loops that do not end, and are no waits. -DHOW=0: additions whose results nobody uses. 1: blocks that take turns. 2: an update that is seen.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

__global__ void loops(int* x, int* y, int* seen) {
#if HOW == 0
  for (;;) {
    shared(*x).fetch_add(1, relaxed);
    if (shared(*y).load(relaxed) != 0)
      break;
  }
#elif HOW == 1
  const int mine = blockIdx.x;
  for (;;) {
    while (shared(*x).load(acquire) != mine) {
    }
    shared(*x).store(1 - mine, release);
  }
#else
  for (;;)
    *seen = shared(*x).exchange(*seen + 1, relaxed);
#endif
}

int main() {
  int* x = zeros(1);
  int* y = zeros(1);
  int* seen = zeros(2);
  loops<<<2, 1>>>(x, y, seen);
  std::printf("%d\n", taken(x, 1)[0]);
}
