// Each block continues from the last element of the block before it, which may not have written it yet.
// Repaired: it waits for a flag.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void continue_from(int* data, int* ready) {
  const int me = block();
  int value = 0;
  if (me > 0) {
#ifndef RACY
    while (ct::atomic_load<acquire, in_device>(ready + me - 1) == 0) {
    }
#endif
    value = data[me - 1]; // race: data-race with @store
  }
  data[me] = value + me; // @store
  ct::atomic_store<release, in_device>(ready + me, 1);
}

int main() {
  continue_from<<<4, 1>>>(zeros(4), zeros(4));
  return finish();
}
