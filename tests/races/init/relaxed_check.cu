// Double-checked initialisation whose first check is relaxed: who finds the table ready need not see its contents.
// A block that comes when another one has finished takes this way. Repaired: acquire.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void use(int* ready, int* lock, int* table, int* out) {
  const auto i = ct::iota<ints<16>>();
#ifdef RACY
  if (ct::atomic_load<relaxed, in_device>(ready) == 0) {
#else
  if (ct::atomic_load<acquire, in_device>(ready) == 0) {
#endif
    while (ct::atomic_compare_exchange<acquire, in_device>(lock, 0, 1) != 0) {
    }
    if (ct::atomic_load<relaxed, in_device>(ready) == 0) {
      ct::store(table + i, i * i); // @table
      ct::atomic_store<release, in_device>(ready, 1);
    }
    ct::atomic_store<release, in_device>(lock, 0);
  }
  ct::store(out + block() * 16 + i, ct::load(table + i)); // race: data-race with @table
}

int main() {
  use<<<64, 1>>>(zeros(1), zeros(1), zeros(16), zeros(1024));
  return finish();
}
