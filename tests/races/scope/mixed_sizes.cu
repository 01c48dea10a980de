// Two halves of a pair are updated as 32-bit integers and read together as a 64-bit one: atomics that overlap in
// part are atomic with nothing, and the memory model says nothing of such a program.
// Repaired: one size, 64 bits, for all.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void update(unsigned long long* pair) {
  if (block() == 0) {
#ifdef RACY
    ct::atomic_add<relaxed, in_device>(reinterpret_cast<unsigned*>(pair), 1u); // race: mixed-size-race with @read
#else
    ct::atomic_add<relaxed, in_device>(pair, 1ull);
#endif
  } else {
    ct::atomic_load<relaxed, in_device>(pair); // @read
  }
}

int main() {
  update<<<2, 1>>>(zeros<unsigned long long>(1));
  return finish();
}
