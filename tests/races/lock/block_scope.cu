// A lock of block scope locks out nobody. Repaired: device scope.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#ifdef RACY
constexpr auto scope = in_block;
#else
constexpr auto scope = in_device;
#endif

__tile_global__ void count(int* lock, int* counter) {
  while (ct::atomic_compare_exchange<acquire, scope>(lock, 0, 1) != 0) { // @take; may: narrow-scope
  }
  const int before = ct::load(counter); // race: data-race with @store
  ct::store(counter, before + 1);       // @store
  ct::atomic_store<release, scope>(lock, 0); // may: narrow-scope with @take
}

int main() {
  count<<<4, 1>>>(zeros(1), zeros(1));
  return finish();
}
