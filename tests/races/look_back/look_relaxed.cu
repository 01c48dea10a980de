// Decoupled look-back that looks relaxed. Repaired: acquire.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void scan(const int* in, int* prefix, int* state, int* out) {
  const auto i = ct::iota<ints<8>>();
  const int me = block();
  const auto local = ct::partial_sum(ct::load(in + me * 8 + i), 0_ic);
  int before = 0;
  if (me > 0) {
#ifdef RACY
    while (ct::atomic_load<relaxed, in_device>(state + me - 1) == 0) {
    }
#else
    while (ct::atomic_load<acquire, in_device>(state + me - 1) == 0) {
    }
#endif
    before = ct::load(prefix + me - 1); // race: data-race with @prefix
  }
  ct::store(prefix + me, before + static_cast<int>(ct::reduce_max(local, 0_ic))); // @prefix
  ct::atomic_store<release, in_device>(state + me, 1);
  ct::store(out + me * 8 + i, local + before);
}

int main() {
  scan<<<4, 1>>>(copied(counting(32)), zeros(4), zeros(4), zeros(32));
  return finish();
}
