// Decoupled look-back: each block publishes the prefix of its tile and a state that says so. Racy: the state is
// stored relaxed. Repaired: release.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void scan(const int* in, int* prefix, int* state, int* out) {
  const auto i = ct::iota<ints<8>>();
  const int me = block();
  const auto local = ct::partial_sum(ct::load(in + me * 8 + i), 0_ic);
  int before = 0;
  if (me > 0) {
    while (ct::atomic_load<acquire, in_device>(state + me - 1) == 0) {
    }
    before = ct::load(prefix + me - 1); // race: data-race with @prefix
  }
  ct::store(prefix + me, before + static_cast<int>(ct::reduce_max(local, 0_ic))); // @prefix
#ifdef RACY
  ct::atomic_store<relaxed, in_device>(state + me, 1);
#else
  ct::atomic_store<release, in_device>(state + me, 1);
#endif
  ct::store(out + me * 8 + i, local + before);
}

int main() {
  scan<<<4, 1>>>(copied(counting(32)), zeros(4), zeros(4), zeros(32));
  return finish();
}
