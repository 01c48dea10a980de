// IRIW: two writers, two readers that may disagree on the order. 16 states relaxed.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

__global__ void four(int* x, int* y, int* seen) {
  switch (blockIdx.x) {
  case 0:
    shared(*x).store(1, relaxed);
    break;
  case 1:
    shared(*y).store(1, relaxed);
    break;
  case 2:
    seen[0] = shared(*x).load(ORDER);
    seen[1] = shared(*y).load(ORDER);
    break;
  default:
    seen[2] = shared(*y).load(ORDER);
    seen[3] = shared(*x).load(ORDER);
  }
}

int main() {
  int* const x = zeros(1);
  int* const y = zeros(1);
  int* const seen = zeros(4);
  four<<<4, 1>>>(x, y, seen);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
  cudaFree(seen);
}
