// Two launches that may overlap: an addition may be lost, and the remedy speaks of streams.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

__global__ void add(int* sum, int n) {
  *sum = *sum + n;
}

int main() {
  int* const sum = zeros(1);
  cudaStream_t one;
  cudaStream_t other;
  cudaStreamCreate(&one);
  cudaStreamCreate(&other);
  add<<<1, 1, 0, one>>>(sum, 1);
#ifdef ORDERED
  cudaEvent_t done;
  cudaEventCreate(&done);
  cudaEventRecord(done, one);
  cudaStreamWaitEvent(other, done, 0);
#endif
  add<<<1, 1, 0, other>>>(sum, 2);
  std::printf("%d\n", taken(sum, 1)[0]);
  cudaFree(sum);
}
