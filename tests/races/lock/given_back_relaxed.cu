// The lock is given back by a relaxed store: the next owner may take it before the last one's stores arrive.
// Repaired: release.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void count(int* lock, int* counter) {
  while (ct::atomic_compare_exchange<acquire, in_device>(lock, 0, 1) != 0) {
  }
  const int before = ct::load(counter); // race: data-race with @store
  ct::store(counter, before + 1);       // @store
#ifdef RACY
  ct::atomic_store<relaxed, in_device>(lock, 0);
#else
  ct::atomic_store<release, in_device>(lock, 0);
#endif
}

int main() {
  count<<<4, 1>>>(zeros(1), zeros(1));
  return finish();
}
