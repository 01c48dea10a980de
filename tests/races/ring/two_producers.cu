// Two producers share the count of the ring's items without a lock on it: both fill the same slot.
// Repaired: an atomic addition gives each item a slot of its own, which its producer declares full.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void produce(int* ring, int* next, int* full, int* out) {
  if (block() < 2) {
#ifdef RACY
    const int slot = ct::load(next); // @next
    ct::store(next, slot + 1);       // race: data-race with @next
#else
    const int slot = ct::atomic_add<relaxed, in_device>(next, 1);
#endif
    ct::store(ring + slot, block()); // may: data-race
    ct::atomic_store<release, in_device>(full + slot, 1);
  } else {
    while (ct::atomic_load<acquire, in_device>(full) == 0) {
    }
    ct::store(out, ct::load(ring)); // may: data-race
  }
}

int main() {
  produce<<<3, 1>>>(zeros(2), zeros(1), zeros(2), zeros(1));
  return finish();
}
