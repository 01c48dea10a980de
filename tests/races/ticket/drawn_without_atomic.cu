// Tickets are drawn with a load and a store: two blocks may get one number, and work is done twice.
// Repaired: atomic_add.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void work(int* next, int* done) {
#ifdef RACY
  const int mine = ct::load(next); // @draw
  ct::store(next, mine + 1);       // race: data-race with @draw
#else
  const int mine = ct::atomic_add<relaxed, in_device>(next, 1);
#endif
  ct::store(done + mine, 1); // may: data-race
}

int main() {
  work<<<4, 1>>>(zeros(1), zeros(4));
  return finish();
}
