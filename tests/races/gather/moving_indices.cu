// A gather through a list of indices that another block of the launch rewrites.
// Repaired: the new list is written beside the old one.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void step(int* indices, const int* values, int* next, int* out) {
  const auto i = ct::iota<ints<16>>();
  if (block() == 0) {
    const auto chosen = ct::load(indices + i); // @list
    ct::store(out + i, ct::load(values + chosen));
  } else {
    ct::store(next + i, 15 - i); // race: data-race with @list
  }
}

int main() {
  int* indices = copied(counting(16));
#ifdef RACY
  step<<<2, 1>>>(indices, zeros(16), indices, zeros(16));
#else
  step<<<2, 1>>>(indices, zeros(16), zeros(16), zeros(16));
#endif
  return finish();
}
