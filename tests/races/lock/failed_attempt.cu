// A block that does not get the lock at once writes the counter all the same.
// Repaired: who gets no lock leaves the counter alone.
// run: needs some seeds
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void count(int* lock, int* counter) {
  const int taken = ct::atomic_compare_exchange<acquire, in_device>(lock, 0, 1);
#ifndef RACY
  if (taken != 0) {
    return;
  }
#endif
  const int before = ct::load(counter); // race: data-race with @store
  ct::store(counter, before + 1);       // @store; may: data-race
  if (taken == 0) {
    ct::atomic_store<release, in_device>(lock, 0);
  }
}

int main() {
  count<<<8, 1>>>(zeros(1), zeros(1));
  return finish();
}
