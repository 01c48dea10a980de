// The data is loaded before the flag has been seen, to save time. Repaired: after it.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void pass(int* data, int* flag, int* out) {
  if (block() == 0) {
    ct::store(data, 42); // @data
    ct::atomic_store<release, in_device>(flag, 1);
  } else {
#ifdef RACY
    const int early = ct::load(data); // race: data-race with @data
#endif
    while (ct::atomic_load<acquire, in_device>(flag) == 0) {
    }
#ifdef RACY
    ct::store(out, early);
#else
    ct::store(out, ct::load(data));
#endif
  }
}

int main() {
  pass<<<2, 1>>>(zeros(1), zeros(1), zeros(1));
  return finish();
}
