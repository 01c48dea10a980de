// A flag that is stored and polled with plain accesses: both the flag and the data race.
// Repaired: a release store and an acquire load.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void pass(int* data, int* flag, int* out) {
  if (block() == 0) {
    ct::store(data, 42); // @data
#ifdef RACY
    ct::store(flag, 1); // race: data-race with @flag
#else
    ct::atomic_store<release, in_device>(flag, 1);
#endif
  } else {
#ifdef RACY
    while (ct::load(flag) == 0) { // @flag
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
