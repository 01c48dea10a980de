// *count += 1 is a read and a write, both plain. Repaired: atomic_add.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void count(int* counter) {
#ifdef RACY
  *counter += 1; // race: data-race
#else
  ct::atomic_add<relaxed, in_device>(counter, 1);
#endif
}

int main() {
  count<<<4, 1>>>(zeros(1));
  return finish();
}
