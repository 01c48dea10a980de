// The lock is taken by a relaxed exchange: the loads after it need not see what the last owner wrote.
// Repaired: acquire.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void count(int* lock, int* counter) {
#ifdef RACY
  while (ct::atomic_compare_exchange<relaxed, in_device>(lock, 0, 1) != 0) {
  }
#else
  while (ct::atomic_compare_exchange<acquire, in_device>(lock, 0, 1) != 0) {
  }
#endif
  const int before = ct::load(counter); // race: data-race with @store
  ct::store(counter, before + 1);       // @store
  ct::atomic_store<release, in_device>(lock, 0);
}

int main() {
  count<<<4, 1>>>(zeros(1), zeros(1));
  return finish();
}
