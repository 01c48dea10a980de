// ISA2 with a first link that is one scope too narrow: block 1 acquires in block scope what block 0 has released.
// Repaired: device scope.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void pass(int* data, int* first, int* second, int* out) {
  if (block() == 0) {
    ct::store(data, 42);                            // @data
    ct::atomic_store<release, in_device>(first, 1); // @first
  } else if (block() == 1) {
#ifdef RACY
    while (ct::atomic_load<acquire, in_block>(first) == 0) { // race: narrow-scope with @first
    }
#else
    while (ct::atomic_load<acquire, in_device>(first) == 0) {
    }
#endif
    ct::atomic_store<release, in_device>(second, 1);
  } else {
    while (ct::atomic_load<acquire, in_device>(second) == 0) {
    }
    ct::store(out, ct::load(data)); // race: data-race with @data
  }
}

int main() {
  pass<<<3, 1>>>(zeros(1), zeros(1), zeros(1), zeros(1));
  return finish();
}
