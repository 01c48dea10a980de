// The legacy default stream does not wait for a non-blocking stream. Repaired: for a blocking one it does.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void produce(int* data) {
  ct::store(data + ct::iota<ints<8>>(), ct::iota<ints<8>>()); // @store
}
__tile_global__ void consume(const int* data, int* out) {
  ct::store(out + ct::iota<ints<8>>(), ct::load(data + ct::iota<ints<8>>())); // race: data-race with @store
}

int main() {
  cudaStream_t stream;
#ifdef RACY
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
#else
  cudaStreamCreate(&stream);
#endif
  int *data = zeros(8), *out = zeros(8);
  produce<<<1, 1, 0, stream>>>(data);
  consume<<<1, 1>>>(data, out);
  return finish();
}
