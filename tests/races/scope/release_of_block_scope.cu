// The flag is released in block scope: for the block that waits it is neither a release nor atomic.
// Repaired: device scope.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void pass(int* data, int* flag, int* out) {
  if (block() == 0) {
    ct::store(data, 42); // @data
#ifdef RACY
    ct::atomic_store<release, in_block>(flag, 1); // race: narrow-scope with @flag
#else
    ct::atomic_store<release, in_device>(flag, 1);
#endif
  } else {
    while (ct::atomic_load<acquire, in_device>(flag) == 0) { // @flag
    }
    ct::store(out, ct::load(data)); // race: data-race with @data
  }
}

int main() {
  pass<<<2, 1>>>(zeros(1), zeros(1), zeros(1));
  return finish();
}
