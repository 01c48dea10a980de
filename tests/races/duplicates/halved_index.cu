// Elements 2k and 2k + 1 of one store go to the same place. The elements of a call have no order, so the
// store races with itself. Repaired: a place for each element.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void spread(int* out) {
  const auto i = ct::iota<ints<16>>();
#ifdef RACY
  ct::store(out + i / 2, i); // race: duplicate-store
#else
  ct::store(out + i, i);
#endif
}

int main() {
  spread<<<1, 1>>>(zeros(16));
  return finish();
}
