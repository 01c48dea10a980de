// ISA2 with a second link that is one scope too narrow. Repaired: device scope.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void pass(int* data, int* first, int* second, int* out) {
  if (block() == 0) {
    ct::store(data, 42); // @data
    ct::atomic_store<release, in_device>(first, 1);
  } else if (block() == 1) {
    while (ct::atomic_load<acquire, in_device>(first) == 0) {
    }
#ifdef RACY
    ct::atomic_store<release, in_block>(second, 1); // race: narrow-scope with @second
#else
    ct::atomic_store<release, in_device>(second, 1);
#endif
  } else {
    while (ct::atomic_load<acquire, in_device>(second) == 0) { // @second
    }
    ct::store(out, ct::load(data)); // race: data-race with @data
  }
}

int main() {
  pass<<<3, 1>>>(zeros(1), zeros(1), zeros(1), zeros(1));
  return finish();
}
