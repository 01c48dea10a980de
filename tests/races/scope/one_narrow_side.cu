// One of two atomics names block scope: it takes both to be atomic with each other.
// Repaired: device scope on both sides.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void count(int* counter) {
  if (block() == 0) {
#ifdef RACY
    ct::atomic_add<relaxed, in_block>(counter, 1); // race: narrow-scope with @wide
#else
    ct::atomic_add<relaxed, in_device>(counter, 1);
#endif
  } else {
    ct::atomic_add<relaxed, in_device>(counter, 1); // @wide
  }
}

int main() {
  count<<<2, 1>>>(zeros(1));
  return finish();
}
