// Two producers and two consumers in pairs: each consumer may use what its own producer wrote. Consumer 3 also
// reads what producer 0 wrote, about which it knows nothing. Repaired: it waits for both.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void pairs(int* data, int* flags, int* out) {
  const int me = block();
  if (me < 2) {
    ct::store(data + me, me + 1); // @data
    ct::atomic_store<release, in_device>(flags + me, 1);
  } else {
    while (ct::atomic_load<acquire, in_device>(flags + me - 2) == 0) {
    }
#ifndef RACY
    while (ct::atomic_load<acquire, in_device>(flags) == 0) {
    }
#endif
    ct::store(out + me, ct::load(data) + ct::load(data + me - 2)); // race: data-race with @data
  }
}

int main() {
  pairs<<<4, 1>>>(zeros(2), zeros(2), zeros(4));
  return finish();
}
