// A ticket lock: the number that is served next is raised relaxed, so the next owner need not see the last one's
// stores. Repaired: release.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void count(int* next, int* serving, int* counter) {
  const int mine = ct::atomic_add<relaxed, in_device>(next, 1);
  while (ct::atomic_load<acquire, in_device>(serving) != mine) {
  }
  const int before = ct::load(counter); // race: data-race with @store
  ct::store(counter, before + 1);       // @store
#ifdef RACY
  ct::atomic_store<relaxed, in_device>(serving, mine + 1);
#else
  ct::atomic_store<release, in_device>(serving, mine + 1);
#endif
}

int main() {
  count<<<4, 1>>>(zeros(1), zeros(1), zeros(1));
  return finish();
}
