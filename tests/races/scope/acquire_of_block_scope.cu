// The flag is released in device scope and read in block scope. Repaired: device scope.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void pass(int* data, int* flag, int* out) {
  if (block() == 0) {
    ct::store(data, 42);                           // @data
    ct::atomic_store<release, in_device>(flag, 1); // @flag
  } else {
#ifdef RACY
    while (ct::atomic_load<acquire, in_block>(flag) == 0) { // race: narrow-scope with @flag
    }
#else
    while (ct::atomic_load<acquire, in_device>(flag) == 0) {
    }
#endif
    ct::store(out, ct::load(data)); // race: data-race with @data
  }
}

int main() {
  pass<<<2, 1>>>(zeros(1), zeros(1), zeros(1));
  return finish();
}
