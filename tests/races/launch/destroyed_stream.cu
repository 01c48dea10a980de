// Destroying a stream does not wait for its work. Repaired: cudaStreamSynchronize first.
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
  int *data = zeros(8), *out = zeros(8);
  produce<<<1, 1, 0, first>>>(data);
#ifndef RACY
  cudaStreamSynchronize(first);
#endif
  cudaStreamDestroy(first);
  consume<<<1, 1, 0, second>>>(data, out);
  return finish();
}
