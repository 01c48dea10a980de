// Two streams work on two halves of an array. Racy: the halves overlap by one tile.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void scale(int* data) {
  const auto i = block() * 8 + ct::iota<ints<8>>();
  const auto x = ct::load(data + i); // @load
  ct::store(data + i, x * 2);        // race: data-race with @load
}

int main() {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  int* data = copied(counting(64));
#ifdef RACY
  scale<<<5, 1, 0, first>>>(data);
#else
  scale<<<4, 1, 0, first>>>(data);
#endif
  scale<<<4, 1, 0, second>>>(data + 32);
  return finish();
}
