// A variable in tile memory that all blocks set. Repaired: atomically.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile__ int last_block;

__tile_global__ void set() {
#ifdef RACY
  last_block = block(); // race: data-race
#else
  ct::atomic_store<relaxed, in_device>(&last_block, block());
#endif
}

int main() {
  set<<<4, 1>>>();
  return finish();
}
