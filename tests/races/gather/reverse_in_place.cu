// Every element is written to its mirror image: the blocks of the first half and of the second write what the
// other one reads. Repaired: a block swaps both ends, and half as many blocks run.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void reverse(int* data, int n) {
  const auto i = block() * 8 + ct::iota<ints<8>>();
  const auto left = ct::load(data + i); // @load
#ifndef RACY
  const auto right = ct::load(data + (n - 1 - i));
  ct::store(data + i, right);
#endif
  ct::store(data + (n - 1 - i), left); // race: data-race with @load
}

int main() {
#ifdef RACY
  reverse<<<4, 1>>>(copied(counting(32)), 32);
#else
  reverse<<<2, 1>>>(copied(counting(32)), 32);
#endif
  return finish();
}
