// Every block fills the table with the same values before it uses it: equal values race like others.
// Repaired: a launch of its own.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void fill(int* table) {
  const auto i = ct::iota<ints<16>>();
  ct::store(table + i, i * i);
}
__tile_global__ void use(int* table, int* out) {
  const auto i = ct::iota<ints<16>>();
#ifdef RACY
  ct::store(table + i, i * i); // race: data-race
#endif
  ct::store(out + block() * 16 + i, ct::load(table + i));
}

int main() {
  int* table = zeros(16);
#ifndef RACY
  fill<<<1, 1>>>(table);
#endif
  use<<<4, 1>>>(table, zeros(64));
  return finish();
}
