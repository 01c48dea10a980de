// Each block writes one char. Neighbouring chars are no race, though they share a word; a block that writes
// the whole word is one. Repaired: every block writes its own char.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void write(unsigned char* bytes) {
#ifdef RACY
  if (block() == 3) {
    ct::store(reinterpret_cast<int*>(bytes), 3); // race: data-race with @char
  } else {
    ct::store(bytes + block(), static_cast<unsigned char>(1)); // @char
  }
#else
  ct::store(bytes + block(), static_cast<unsigned char>(1));
#endif
}

int main() {
  write<<<4, 1>>>(zeros<unsigned char>(4));
  return finish();
}
