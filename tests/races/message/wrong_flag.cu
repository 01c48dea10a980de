// Three producers, three flags: the consumer waits for the flags of two. Repaired: for all.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void pass(int* data, int* flags, int* out) {
  const int me = block();
  if (me < 3) {
    ct::store(data + me, 1); // @data
    ct::atomic_store<release, in_device>(flags + me, 1);
  } else {
#ifdef RACY
    const int waited = 2;
#else
    const int waited = 3;
#endif
    for (int i = 0; i < waited; ++i) {
      while (ct::atomic_load<acquire, in_device>(flags + i) == 0) {
      }
    }
    ct::store(out, ct::load(data) + ct::load(data + 1) + ct::load(data + 2)); // race: data-race with @data
  }
}

int main() {
  pass<<<4, 1>>>(zeros(3), zeros(3), zeros(1));
  return finish();
}
