// The lock is given back before the store that it is there for. Repaired: after it.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void count(int* lock, int* counter) {
  while (ct::atomic_compare_exchange<acquire, in_device>(lock, 0, 1) != 0) {
  }
  const int before = ct::load(counter); // @load
#ifdef RACY
  ct::atomic_store<release, in_device>(lock, 0);
  ct::store(counter, before + 1); // either: data-race with @load; either: data-race
#else
  ct::store(counter, before + 1);
  ct::atomic_store<release, in_device>(lock, 0);
#endif
}

int main() {
  count<<<4, 1>>>(zeros(1), zeros(1));
  return finish();
}
