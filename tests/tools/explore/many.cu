// STEPS times each of BLOCKS blocks stores, and loads what another one stores: far more executions than anybody waits for, and nearly as many states.
// -DHOST_WAITS: the host's code behind them does not come to its end.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

__global__ void many(int* x, int* seen) {
  const int b = blockIdx.x;
  for (int i = 0; i < STEPS; ++i) {
    shared(x[(b + i) % 4]).store(b + 1, relaxed);
    seen[b] = seen[b] * 10 + shared(x[(b + i + 1) % 4]).load(relaxed);
  }
}

int main() {
  int* x = zeros(4);
  int* seen = zeros(BLOCKS);
  many<<<BLOCKS, 1>>>(x, seen);
  const auto values = taken(seen, BLOCKS);
#ifdef HOST_WAITS
  for (volatile int n = 0;; n = n + 1) {
  }
#endif
  std::printf("%d\n", values[0]);
}
