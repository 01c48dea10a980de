// Each block sets its own char: no race, though the chars share a word. Racy: the chars are bits of one int.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void mark(unsigned char* bytes, unsigned* bits) {
#ifdef RACY
  *bits = *bits | 1u << block(); // race: data-race
#else
  bytes[block()] = 1;
#endif
}

int main() {
  mark<<<4, 1>>>(zeros<unsigned char>(4), zeros<unsigned>(1));
  return finish();
}
