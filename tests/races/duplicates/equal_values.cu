// Several elements of one store write the same value to the same place. It is a race all the same: a weak
// store promises that nobody else accesses the place.  [memory operations: store]
// Repaired: atomic_store may write a place several times; block scope is enough within a call.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void mark(int* seen) {
  const auto i = ct::iota<ints<16>>();
#ifdef RACY
  ct::store(seen + i % 4, ct::ones<ints<16>>()); // race: duplicate-store
#else
  ct::atomic_store<relaxed, in_block>(seen + i % 4, ct::ones<ints<16>>());
#endif
}

int main() {
  mark<<<1, 1>>>(zeros(4));
  return finish();
}
