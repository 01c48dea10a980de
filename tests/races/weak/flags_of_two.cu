// Each block raises its flag and looks for the other's; who sees none writes. Racy: a release store and an acquire load,
// which put no store before a load: neither may see the other's flag. Repaired: updates that acquire and release.
// run: needs weak
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void enter(int* flags, int* data) {
  const int me = block();
#ifdef RACY
  ct::atomic_store<release, in_device>(flags + me, 1);
  const int seen = ct::atomic_load<acquire, in_device>(flags + 1 - me);
#else
  ct::atomic_xchg<acq_rel, in_device>(flags + me, 1);
  const int seen = ct::atomic_add<acq_rel, in_device>(flags + 1 - me, 0);
#endif
  if (seen == 0) {
    ct::store(data, me); // race: data-race
  }
}

int main() {
  enter<<<2, 1>>>(zeros(2), zeros(1));
  return finish();
}
