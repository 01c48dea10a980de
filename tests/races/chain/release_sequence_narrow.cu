// A release sequence whose middle is one scope too narrow: block 2 does not observe an addition in block scope, so
// it acquires nothing through it. Repaired: device scope.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void pass(int* data, int* flag, int* added, int* out) {
  if (block() == 0) {
    ct::store(data, 42); // @data
    ct::atomic_store<release, in_device>(flag, 1);
  } else if (block() == 1) {
    while (ct::atomic_load<relaxed, in_device>(flag) == 0) {
    }
#ifdef RACY
    ct::atomic_add<relaxed, in_block>(flag, 1); // @narrow
#else
    ct::atomic_add<relaxed, in_device>(flag, 1);
#endif
    ct::atomic_store<relaxed, in_device>(added, 1);
  } else {
    while (ct::atomic_load<relaxed, in_device>(added) == 0) {
    }
    if (ct::atomic_load<acquire, in_device>(flag) == 2) { // race: narrow-scope with @narrow
      ct::store(out, ct::load(data));                     // race: data-race with @data
    }
  }
}

int main() {
  pass<<<3, 1>>>(zeros(1), zeros(1), zeros(1), zeros(1));
  return finish();
}
