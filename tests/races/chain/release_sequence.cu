// A release sequence: block 1 adds to the flag that block 0 has released, relaxed, and block 2 acquires the sum.
// A read-modify-write hands on what it read. Racy: a load and a store do not.
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
    ct::atomic_store<relaxed, in_device>(flag, ct::atomic_load<relaxed, in_device>(flag) + 1);
#else
    ct::atomic_add<relaxed, in_device>(flag, 1);
#endif
    ct::atomic_store<relaxed, in_device>(added, 1);
  } else {
    while (ct::atomic_load<relaxed, in_device>(added) == 0) {
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
