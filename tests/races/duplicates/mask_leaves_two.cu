// The mask of a compaction keeps elements that share a place: 0 and 8, 2 and 10, … survive `i % 2 == 0`.
// Repaired: a mask that keeps one of each pair.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void compact(int* out) {
  const auto i = ct::iota<ints<16>>();
#ifdef RACY
  ct::store_masked(out + i % 8, i, i % 2 == 0); // race: duplicate-store
#else
  ct::store_masked(out + i % 8, i, i < 8);
#endif
}

int main() {
  compact<<<1, 1>>>(zeros(8));
  return finish();
}
