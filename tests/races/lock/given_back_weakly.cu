// The lock is given back by a plain store, which races with those who try to take it.
// Repaired: an atomic store, release.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void count(int* lock, int* counter) {
  while (ct::atomic_compare_exchange<acquire, in_device>(lock, 0, 1) != 0) { // @take
  }
  const int before = ct::load(counter); // race: data-race with @store
  ct::store(counter, before + 1);       // @store
#ifdef RACY
  ct::store(lock, 0); // race: data-race with @take
#else
  ct::atomic_store<release, in_device>(lock, 0);
#endif
}

int main() {
  count<<<4, 1>>>(zeros(1), zeros(1));
  return finish();
}
