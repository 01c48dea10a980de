// The table is declared ready by a relaxed store. Repaired: release.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void use(int* ready, int* lock, int* table, int* out) {
  const auto i = ct::iota<ints<16>>();
  if (ct::atomic_load<acquire, in_device>(ready) == 0) {
    while (ct::atomic_compare_exchange<acquire, in_device>(lock, 0, 1) != 0) {
    }
    if (ct::atomic_load<relaxed, in_device>(ready) == 0) {
      ct::store(table + i, i * i); // @table
#ifdef RACY
      ct::atomic_store<relaxed, in_device>(ready, 1);
#else
      ct::atomic_store<release, in_device>(ready, 1);
#endif
    }
    ct::atomic_store<release, in_device>(lock, 0);
  }
  ct::store(out + block() * 16 + i, ct::load(table + i)); // race: data-race with @table
}

int main() {
  use<<<64, 1>>>(zeros(1), zeros(1), zeros(16), zeros(1024));
  return finish();
}
