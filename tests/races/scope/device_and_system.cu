// Scopes may differ as long as each holds the other side: device and system do, on one device.
// Racy: block and system. Repaired: device and system.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void count(int* counter) {
  if (block() == 0) {
#ifdef RACY
    ct::atomic_add<relaxed, in_block>(counter, 1); // race: narrow-scope with @wide
#else
    ct::atomic_add<relaxed, in_device>(counter, 1);
#endif
  } else {
    ct::atomic_add<relaxed, in_system>(counter, 1); // @wide
  }
}

int main() {
  count<<<2, 1>>>(zeros(1));
  return finish();
}
