// A block polls *flag. A plain read may be done once and for all, and it races with the store.
// Repaired: atomic operations.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void pass(int* flag, int* out) {
  if (block() == 0) {
#ifdef RACY
    *flag = 1; // race: data-race with @poll
#else
    ct::atomic_store<relaxed, in_device>(flag, 1);
#endif
  } else {
    int seen = 0;
    for (int tries = 0; tries < 1000 && seen == 0; ++tries) {
#ifdef RACY
      seen = *flag; // @poll
#else
      seen = ct::atomic_load<relaxed, in_device>(flag);
#endif
    }
    *out = seen;
  }
}

int main() {
  pass<<<2, 1>>>(zeros(1), zeros(1));
  return finish();
}
