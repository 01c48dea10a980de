// Storing the old value back where nothing is to change is a store all the same. Repaired: a mask.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void fill(int* data) {
  const auto i = ct::iota<ints<16>>();
  const auto mine = i % 2 == block();
#ifdef RACY
  const auto old = ct::load(data + i);              // @load
  ct::store(data + i, ct::select(mine, i, old)); // race: data-race with @load
#else
  ct::store_masked(data + i, i, mine);
#endif
}

int main() {
  fill<<<2, 1>>>(zeros(16));
  return finish();
}
