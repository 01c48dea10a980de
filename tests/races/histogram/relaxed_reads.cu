// Progress is shown while others count: a weak load of a counter races with atomic additions.
// Repaired: atomic_load, relaxed. What it reads is some count, and no race.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void count(int* counter, int* seen) {
  ct::atomic_add<relaxed, in_device>(counter, 1); // @add
#ifdef RACY
  const int now = ct::load(counter); // race: data-race with @add
#else
  const int now = ct::atomic_load<relaxed, in_device>(counter);
#endif
  ct::store(seen + block(), now);
}

int main() {
  count<<<4, 1>>>(zeros(1), zeros(4));
  return finish();
}
