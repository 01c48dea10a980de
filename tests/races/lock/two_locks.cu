// Half of the blocks take another lock for the same counter. Repaired: one lock.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void count(int* locks, int* counter) {
#ifdef RACY
  int* lock = locks + block() % 2;
#else
  int* lock = locks;
#endif
  while (ct::atomic_compare_exchange<acquire, in_device>(lock, 0, 1) != 0) {
  }
  const int before = ct::load(counter); // race: data-race with @store
  ct::store(counter, before + 1);       // @store
  ct::atomic_store<release, in_device>(lock, 0);
}

int main() {
  count<<<4, 1>>>(zeros(2), zeros(1));
  return finish();
}
