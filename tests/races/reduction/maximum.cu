// Compare, then store: two blocks may both think that theirs is the larger. Repaired: atomic_max.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void maximum(const int* x, int* most) {
  const int mine = static_cast<int>(ct::reduce_max(ct::load(x + block() * 16 + ct::iota<ints<16>>()), 0_ic));
#ifdef RACY
  if (ct::load(most) < mine) { // @load
    ct::store(most, mine);     // race: data-race with @load
  }
#else
  ct::atomic_max<relaxed, in_device>(most, mine);
#endif
}

int main() {
  maximum<<<4, 1>>>(copied(counting(64)), zeros(1));
  return finish();
}
