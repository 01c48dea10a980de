// Masked-out elements of an atomic access nothing, so another block may use them plainly. Racy: the mask lets one
// of them through.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void mix(int* data) {
  const auto i = ct::iota<ints<8>>();
  if (block() == 0) {
#ifdef RACY
    ct::atomic_add_masked<relaxed, in_device>(data + i, i, i < 5); // race: data-race with @plain
#else
    ct::atomic_add_masked<relaxed, in_device>(data + i, i, i < 4);
#endif
  } else {
    ct::store_masked(data + i, i, i >= 4); // @plain
  }
}

int main() {
  mix<<<2, 1>>>(zeros(8));
  return finish();
}
