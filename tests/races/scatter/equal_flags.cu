// All blocks that find something write the same 1: equal values race, too.
// Repaired: atomic_store, relaxed.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void find(const int* values, int* found) {
  const int hits = sum_of(ct::load(values + block() * 8 + ct::iota<ints<8>>()));
  if (hits != 0) {
#ifdef RACY
    ct::store(found, 1); // race: data-race
#else
    ct::atomic_store<relaxed, in_device>(found, 1);
#endif
  }
}

int main() {
  find<<<4, 1>>>(copied(counting(32)), zeros(1));
  return finish();
}
