// A lock by exchanges. Racy: it is given back by an exchange that acquires, which orders nothing before it.
// Repaired: release.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void count(int* lock, int* counter) {
  while (ct::atomic_xchg<acquire, in_device>(lock, 1) != 0) {
  }
  const int before = ct::load(counter); // race: data-race with @store
  ct::store(counter, before + 1);       // @store
#ifdef RACY
  ct::atomic_xchg<acquire, in_device>(lock, 0);
#else
  ct::atomic_xchg<release, in_device>(lock, 0);
#endif
}

int main() {
  count<<<4, 1>>>(zeros(1), zeros(1));
  return finish();
}
