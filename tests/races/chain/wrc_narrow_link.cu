// WRC with a link that is one scope too narrow: block 1 reads the value in block scope, so it does not observe it.
// Repaired: device scope.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void pass(int* value, int* flag, int* out) {
  if (block() == 0) {
    ct::atomic_store<relaxed, in_device>(value, 42); // @value
  } else if (block() == 1) {
#ifdef RACY
    while (ct::atomic_load<relaxed, in_block>(value) == 0) { // race: narrow-scope with @value
    }
#else
    while (ct::atomic_load<relaxed, in_device>(value) == 0) {
    }
#endif
    ct::atomic_store<release, in_device>(flag, 1);
  } else {
    while (ct::atomic_load<acquire, in_device>(flag) == 0) {
    }
    ct::store(out, ct::load(value)); // may: data-race with @value
  }
}

int main() {
  pass<<<3, 1>>>(zeros(1), zeros(1), zeros(1));
  return finish();
}
