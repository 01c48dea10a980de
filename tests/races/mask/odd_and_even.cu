// Two blocks store to the same tile: one the even elements, the other the odd ones. The masks keep them apart. Racy: both
// masks hold the multiples of six.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void fill(int* data) {
  const auto i = ct::iota<ints<16>>();
  if (block() == 0) {
    ct::store_masked(data + i, i, i % 2 == 0); // @even
  } else {
#ifdef RACY
    ct::store_masked(data + i, i, i % 3 == 0); // race: data-race with @even
#else
    ct::store_masked(data + i, i, i % 2 == 1);
#endif
  }
}

int main() {
  fill<<<2, 1>>>(zeros(16));
  return finish();
}
