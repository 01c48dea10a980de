// The mask says <= where < is meant: one element of the next block's part comes along.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void fill(int* data, int part) {
  const auto i = ct::iota<ints<16>>();
#ifdef RACY
  ct::store_masked(data + block() * part + i, i, i <= part); // race: data-race
#else
  ct::store_masked(data + block() * part + i, i, i < part);
#endif
}

int main() {
  fill<<<4, 1>>>(zeros(41), 10);
  return finish();
}
