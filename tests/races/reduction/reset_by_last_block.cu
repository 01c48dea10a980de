// The last block resets the count for the next launch with a plain store, which races with the arrivals of
// the others: their additions were relaxed, so nothing orders them before it.
// Repaired: an arrival that releases and acquires orders all of them before the store.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void arrive(int* arrived) {
#ifdef RACY
  const int others = ct::atomic_add<relaxed, in_device>(arrived, 1); // @add
#else
  const int others = ct::atomic_add<acq_rel, in_device>(arrived, 1);
#endif
  if (others == 3) {
    ct::store(arrived, 0); // race: data-race with @add
  }
}

int main() {
  int* arrived = zeros(1);
  arrive<<<4, 1>>>(arrived);
  arrive<<<4, 1>>>(arrived);
  return finish();
}
