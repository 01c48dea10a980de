// Order passes on: the third stream waits for the second, which waits for the first. Racy: the second did not.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void produce(int* data) {
  ct::store(data + ct::iota<ints<8>>(), ct::iota<ints<8>>()); // @store
}
__tile_global__ void idle() {}
__tile_global__ void consume(const int* data, int* out) {
  ct::store(out + ct::iota<ints<8>>(), ct::load(data + ct::iota<ints<8>>())); // race: data-race with @store
}

int main() {
  cudaStream_t first, second, third;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaStreamCreate(&third);
  cudaEvent_t one, two;
  cudaEventCreate(&one);
  cudaEventCreate(&two);
  int *data = zeros(8), *out = zeros(8);
  produce<<<1, 1, 0, first>>>(data);
  cudaEventRecord(one, first);
#ifndef RACY
  cudaStreamWaitEvent(second, one);
#endif
  idle<<<1, 1, 0, second>>>();
  cudaEventRecord(two, second);
  cudaStreamWaitEvent(third, two);
  consume<<<1, 1, 0, third>>>(data, out);
  return finish();
}
