// The flag is read relaxed: the loads after it may have been done before. Repaired: acquire.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void pass(int* data, int* flag, int* out) {
  const auto i = ct::iota<ints<16>>();
  if (block() == 0) {
    ct::store(data + i, i); // @data
    ct::atomic_store<release, in_device>(flag, 1);
  } else {
#ifdef RACY
    while (ct::atomic_load<relaxed, in_device>(flag) == 0) {
    }
#else
    while (ct::atomic_load<acquire, in_device>(flag) == 0) {
    }
#endif
    ct::store(out + i, ct::load(data + i)); // race: data-race with @data
  }
}

int main() {
  pass<<<2, 1>>>(zeros(16), zeros(1), zeros(16));
  return finish();
}
