// SPDX-License-Identifier: Apache-2.0
#include "own.cuh"

__global__ void count_others() {
  atomicAdd(&own::counter, own::twice(own::step));
  own::add(100);
}

int count_in_second() {
  const int step = 1;
  cudaMemcpyToSymbol(own::step, &step, sizeof step);
  count_others<<<1, 5>>>();
  int mine = 0;
  cudaMemcpyFromSymbol(&mine, own::counter, sizeof mine);
  return mine;
}
