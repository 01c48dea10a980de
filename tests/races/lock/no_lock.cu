// Blocks update two words that belong together. Repaired: a lock, taken with an acquire and given back with a
// release.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void update(int* lock, int* pair) {
#ifndef RACY
  while (ct::atomic_compare_exchange<acquire, in_device>(lock, 0, 1) != 0) {
  }
#endif
  const int first = ct::load(pair);          // @first
  const int second = ct::load(pair + 1);     // @second
  ct::store(pair, first + 1);                // race: data-race with @first
  ct::store(pair + 1, second + first + 1);   // race: data-race with @second
#ifndef RACY
  ct::atomic_store<release, in_device>(lock, 0);
#endif
}

int main() {
  update<<<4, 1>>>(zeros(1), zeros(2));
  return finish();
}
