// One block writes an element as a scalar, another one loads the tile that it lies in: raw accesses are memory
// operations like others. Repaired: the scalar lies behind the tile.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void mix(int* data, int* out) {
  if (block() == 0) {
#ifdef RACY
    data[5] = 1; // race: data-race with @tile
#else
    data[8] = 1;
#endif
  } else {
    ct::store(out + ct::iota<ints<8>>(), ct::load(data + ct::iota<ints<8>>())); // @tile
  }
}

int main() {
  mix<<<2, 1>>>(zeros(9), zeros(8));
  return finish();
}
