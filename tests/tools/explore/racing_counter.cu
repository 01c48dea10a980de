// Two blocks count without an order, so that what one has counted may be lost, and who stores last is nobody's to say.
// SAME: both store the same to several places; OTHER: different numbers to one.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

__global__ void count(int* flag, int* counter) {
#if defined(SAME)
  for (int i = 0; i < SAME; ++i)
    counter[i] = 1;
#elif defined(OTHER)
  *counter = static_cast<int>(blockIdx.x) + 1;
#else
  if (blockIdx.x == 0) {
    *counter = *counter + 1;
    shared(*flag).store(1, release);
  } else {
    shared(*flag).load(acquire);
    *counter = *counter + 1;
  }
#endif
}

int main() {
  int* const flag = zeros(1);
  int* const counter = zeros(32);
  count<<<2, 1>>>(flag, counter);
  std::printf("%d\n", taken(counter, 1)[0]);
  cudaFree(flag);
  cudaFree(counter);
}
