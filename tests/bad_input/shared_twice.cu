// A variable of the device that two sources define: with -rdc=true these are one, and nvlink refuses it. (shared_twice_other.cu)
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"

__device__ int counter = 1;

void other();

__global__ void count() {
  ++counter;
}

int main() {
  count<<<1, 1>>>();
  other();
}
