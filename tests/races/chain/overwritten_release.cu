// Block 1 raises the flag further with a store of its own: who acquires that store acquires from block 1, which
// has acquired nothing. Repaired: block 1 acquires what it passes on.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void pass(int* data, int* flag, int* raised, int* out) {
  if (block() == 0) {
    ct::store(data, 42); // @data
    ct::atomic_store<release, in_device>(flag, 1);
  } else if (block() == 1) {
#ifdef RACY
    while (ct::atomic_load<relaxed, in_device>(flag) == 0) {
    }
#else
    while (ct::atomic_load<acquire, in_device>(flag) == 0) {
    }
#endif
    ct::atomic_store<release, in_device>(flag, 2);
    ct::atomic_store<relaxed, in_device>(raised, 1);
  } else {
    while (ct::atomic_load<relaxed, in_device>(raised) == 0) {
    }
    if (ct::atomic_load<acquire, in_device>(flag) == 2) {
      ct::store(out, ct::load(data)); // race: data-race with @data
    }
  }
}

int main() {
  pass<<<3, 1>>>(zeros(1), zeros(1), zeros(1), zeros(1));
  return finish();
}
