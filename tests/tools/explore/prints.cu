// Blocks that add to a number and print what they find, which nobody uses else.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

__global__ void counts(int* x) {
  std::printf("sees %d\n", shared(*x).fetch_add(1, relaxed));
}

int main() {
  std::printf("before\n");
  int* x = zeros(1);
  counts<<<2, 1>>>(x);
  std::printf("behind %d\n", taken(x, 1)[0]);
  cudaFree(x);
}
