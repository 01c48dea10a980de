// Two launches write the same array in two streams: which one is last? Repaired: one stream.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void fill(int* data, int value) {
  ct::store(data + block() * 8 + ct::iota<ints<8>>(), ct::full<ints<8>>(value)); // race: data-race
}

int main() {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  int* data = zeros(32);
  fill<<<4, 1, 0, first>>>(data, 1);
#ifdef RACY
  fill<<<4, 1, 0, second>>>(data, 2);
#else
  fill<<<4, 1, 0, first>>>(data, 2);
#endif
  return finish();
}
