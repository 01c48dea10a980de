// The block that wins an exchange initialises; the losers use the table at once.
// Repaired: they wait until it is ready.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void use(int* claimed, int* ready, int* table, int* out) {
  const auto i = ct::iota<ints<16>>();
  if (ct::atomic_xchg<relaxed, in_device>(claimed, 1) == 0) {
    ct::store(table + i, i * i); // @table
    ct::atomic_store<release, in_device>(ready, 1);
  } else {
#ifndef RACY
    while (ct::atomic_load<acquire, in_device>(ready) == 0) {
    }
#endif
    ct::store(out + block() * 16 + i, ct::load(table + i)); // race: data-race with @table
  }
}

int main() {
  use<<<4, 1>>>(zeros(1), zeros(1), zeros(16), zeros(64));
  return finish();
}
