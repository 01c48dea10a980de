// Two sources, each with the device variables of one header.
// SPDX-License-Identifier: Apache-2.0
#include "own.cuh"

#include <cstdio>

int count_in_second();

__global__ void count() {
  atomicAdd(&own::counter, own::twice(own::step));
  own::add(1);
}

int main() {
  const int step = 3;
  cudaMemcpyToSymbol(own::step, &step, sizeof step);
  count<<<1, 4>>>();
  int mine = 0;
  cudaMemcpyFromSymbol(&mine, own::counter, sizeof mine);
  const int others = count_in_second();
  std::printf("%d and %d\n", mine, others);
  int total = 0;
  int last = 0;
  cudaMemcpyFromSymbol(&total, own::total<int>, sizeof total);
  cudaMemcpyFromSymbol(&last, own::last, sizeof last);
  std::printf("total %d, last %d\n", total, last);
  return mine == 24 && others == 10 && total == 4 && last == 1 ? 0 : 1;
}
