// ISA2: block 0 hands its data to block 1, and block 1 tells block 2 that it is there. Order passes through the
// middle only if both links release and acquire.
// Racy: the second link's release is relaxed.
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
    ct::atomic_store<relaxed, in_device>(second, 1);
#else
    ct::atomic_store<release, in_device>(second, 1);
#endif
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
