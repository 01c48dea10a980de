// A tile kernel passes a message by a volatile flag. Tile IR has no volatile: the accesses are weak, and race. Repaired:
// atomic operations.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void poll_in_tile(volatile int* flag, int* out) {
  int* const object = const_cast<int*>(flag);
  if (block() == 0) {
#ifdef RACY
    *flag = 1; // race: data-race with @poll
#else
    ct::atomic_store<relaxed, in_device>(object, 1);
#endif
  } else {
#ifdef RACY
    *out = *flag; // @poll
#else
    *out = ct::atomic_load<relaxed, in_device>(object);
#endif
  }
}

int main() {
  poll_in_tile<<<2, 1>>>(zeros(1), zeros(1));
  return finish();
}
