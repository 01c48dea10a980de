// A ring of 12 places for a tile of 16: the last four elements come round to the first four places.
// Repaired: a mask that stops at the ring's length.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void fill(int* ring, int length) {
  const auto i = ct::iota<ints<16>>();
#ifdef RACY
  ct::store(ring + i % length, i); // race: duplicate-store
#else
  ct::store_masked(ring + i % length, i, i < length);
#endif
}

int main() {
  fill<<<1, 1>>>(zeros(12), 12);
  return finish();
}
