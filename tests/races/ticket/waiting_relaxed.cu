// A ticket lock whose waiters poll relaxed. Repaired: acquire.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void count(int* next, int* serving, int* counter) {
  const int mine = ct::atomic_add<relaxed, in_device>(next, 1);
#ifdef RACY
  while (ct::atomic_load<relaxed, in_device>(serving) != mine) {
  }
#else
  while (ct::atomic_load<acquire, in_device>(serving) != mine) {
  }
#endif
  const int before = ct::load(counter); // race: data-race with @store
  ct::store(counter, before + 1);       // @store
  ct::atomic_store<release, in_device>(serving, mine + 1);
}

int main() {
  count<<<4, 1>>>(zeros(1), zeros(1), zeros(1));
  return finish();
}
