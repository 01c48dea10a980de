// Three blocks in a ring: each reads its place, writes to the next one's, reads the other one's, and writes to its own.
// Load buffering through two and three blocks, and more executions than one process is given at once.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

__global__ void turn(int* x, int* seen) {
  const unsigned me = blockIdx.x;
  const int before = shared(x[me]).load(relaxed);
  shared(x[(me + 1) % 3]).store(before == 5 ? 2 : 1, relaxed);
  const int behind = shared(x[(me + 2) % 3]).load(relaxed);
  shared(x[me]).store(behind + 3, relaxed);
  seen[me] = before * 10 + behind;
}

int main() {
  int* const x = zeros(3);
  int* const seen = zeros(3);
  turn<<<3, 1>>>(x, seen);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(seen);
}
