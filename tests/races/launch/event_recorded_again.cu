// A wait for an event is a wait for its last record before the call. Racy: the event is recorded anew, in another
// stream, before the wait. Repaired: an event for each.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void produce(int* data) {
  ct::store(data + ct::iota<ints<8>>(), ct::iota<ints<8>>()); // @store
}
__tile_global__ void consume(const int* data, int* out) {
  ct::store(out + ct::iota<ints<8>>(), ct::load(data + ct::iota<ints<8>>())); // race: data-race with @store
}

int main() {
  cudaStream_t first, second, third;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaStreamCreate(&third);
  cudaEvent_t produced, other;
  cudaEventCreate(&produced);
  cudaEventCreate(&other);
  int *data = zeros(8), *out = zeros(8);
  produce<<<1, 1, 0, first>>>(data);
  cudaEventRecord(produced, first);
#ifdef RACY
  cudaEventRecord(produced, third);
#else
  cudaEventRecord(other, third);
#endif
  cudaStreamWaitEvent(second, produced);
  consume<<<1, 1, 0, second>>>(data, out);
  return finish();
}
