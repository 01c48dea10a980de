// One block reads the counter without the lock. Repaired: it takes the lock like everybody.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void count(int* lock, int* counter, int* seen) {
#ifdef RACY
  if (block() == 3) {
    ct::store(seen, ct::load(counter)); // race: data-race with @store
    return;
  }
#endif
  while (ct::atomic_compare_exchange<acquire, in_device>(lock, 0, 1) != 0) {
  }
  const int before = ct::load(counter);
  if (block() == 3) {
    ct::store(seen, before);
  } else {
    ct::store(counter, before + 1); // @store
  }
  ct::atomic_store<release, in_device>(lock, 0);
}

int main() {
  count<<<4, 1>>>(zeros(1), zeros(1), zeros(1));
  return finish();
}
