// Work in the legacy default stream comes after all work of blocking streams and before all that follows: it joins
// them, even if it does nothing. Racy: a stream that does not block is not joined.
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
  cudaStream_t first, second;
#ifdef RACY
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
#else
  cudaStreamCreate(&first);
#endif
  cudaStreamCreate(&second);
  int *data = zeros(8), *out = zeros(8);
  produce<<<1, 1, 0, first>>>(data);
  idle<<<1, 1>>>();
  consume<<<1, 1, 0, second>>>(data, out);
  return finish();
}
