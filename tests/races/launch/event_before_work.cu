// The event is recorded before the work that it is to stand for. Repaired: after it.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void produce(int* data) {
  ct::store(data + ct::iota<ints<8>>(), ct::iota<ints<8>>()); // @store
}
__tile_global__ void consume(const int* data, int* out) {
  ct::store(out + ct::iota<ints<8>>(), ct::load(data + ct::iota<ints<8>>())); // race: data-race with @store
}

int main() {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEvent_t produced;
  cudaEventCreate(&produced);
  int *data = zeros(8), *out = zeros(8);
#ifdef RACY
  cudaEventRecord(produced, first);
  produce<<<1, 1, 0, first>>>(data);
#else
  produce<<<1, 1, 0, first>>>(data);
  cudaEventRecord(produced, first);
#endif
  cudaStreamWaitEvent(second, produced);
  consume<<<1, 1, 0, second>>>(data, out);
  return finish();
}
