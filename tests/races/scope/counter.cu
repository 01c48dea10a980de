// Atomic additions of block scope from several blocks: each is atomic for its own block only.
// Repaired: device scope.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void count(int* counter) {
#ifdef RACY
  ct::atomic_add<relaxed, in_block>(counter, 1); // race: narrow-scope
#else
  ct::atomic_add<relaxed, in_device>(counter, 1);
#endif
}

int main() {
  count<<<4, 1>>>(zeros(1));
  return finish();
}
