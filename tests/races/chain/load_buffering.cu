// Load buffering: each block looks for the other's mark and leaves its own; who has seen a mark writes. That both have
// seen one would be a circle, which the release and the acquire forbid. Racy: who has seen none writes, too.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void choose(int* first, int* second, int* data) {
  if (block() == 0) {
    const int seen = ct::atomic_load<relaxed, in_device>(first);
    ct::atomic_store<release, in_device>(second, 1);
#ifdef RACY
    ct::store(data, seen + 1); // @here
#else
    if (seen != 0) {
      ct::store(data, 1);
    }
#endif
  } else {
    const int seen = ct::atomic_load<acquire, in_device>(second);
    ct::atomic_store<relaxed, in_device>(first, 1);
#ifdef RACY
    ct::store(data, 2 - seen); // race: data-race with @here
#else
    if (seen != 0) {
      ct::store(data, 2);
    }
#endif
  }
}

int main() {
  choose<<<2, 1>>>(zeros(1), zeros(1), zeros(1));
  return finish();
}
