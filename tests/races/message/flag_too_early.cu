// The flag is raised before the data is written. Repaired: after it.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void pass(int* data, int* flag, int* out) {
  if (block() == 0) {
#ifdef RACY
    ct::atomic_store<release, in_device>(flag, 1);
    ct::store(data, 42); // @data
#else
    ct::store(data, 42);
    ct::atomic_store<release, in_device>(flag, 1);
#endif
  } else {
    while (ct::atomic_load<acquire, in_device>(flag) == 0) {
    }
    ct::store(out, ct::load(data)); // race: data-race with @data
  }
}

int main() {
  pass<<<2, 1>>>(zeros(1), zeros(1), zeros(1));
  return finish();
}
