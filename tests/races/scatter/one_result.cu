// Every block stores its result to the same place: nothing orders the blocks.
// Repaired: a place for each block.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void result(int* out) {
#ifdef RACY
  ct::store(out, block()); // race: data-race
#else
  ct::store(out + block(), block());
#endif
}

int main() {
  result<<<4, 1>>>(zeros(4));
  return finish();
}
