// Split-K fix-up in order: each block waits for its turn, adds its part with a load and a store, and passes the
// turn on. Racy: the turn is passed on relaxed. Repaired: release.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void multiply(int* turn, int* result) {
  const auto i = ct::iota<ints<8>>();
  while (ct::atomic_load<acquire, in_device>(turn) != block()) {
  }
  const auto sum = ct::load(result + i);    // race: data-race with @store
  ct::store(result + i, sum + i * block()); // @store
#ifdef RACY
  ct::atomic_store<relaxed, in_device>(turn, block() + 1);
#else
  ct::atomic_store<release, in_device>(turn, block() + 1);
#endif
}

int main() {
  multiply<<<4, 1>>>(zeros(1), zeros(8));
  return finish();
}
