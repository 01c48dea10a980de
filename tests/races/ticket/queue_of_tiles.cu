// Persistent blocks draw tiles from a counter until none is left. Racy: each block takes two tiles a turn but raises
// the counter by one, so neighbours work on the same tile. Repaired: by two.
// By default a block runs until it waits, so the first one draws all tiles.
// run: needs some seeds
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void work(int* next, int* data, int tiles) {
#ifdef RACY
  const int step = 1;
#else
  const int step = 2;
#endif
  int tile = ct::atomic_add<relaxed, in_device>(next, step);
  while (tile < tiles) {
    const auto i = tile * 8 + ct::iota<ints<16>>();
    ct::store_masked(data + i, i, i < tiles * 8); // race: data-race
    tile = ct::atomic_add<relaxed, in_device>(next, step);
  }
}

int main() {
  work<<<3, 1>>>(zeros(1), zeros(64), 8);
  return finish();
}
