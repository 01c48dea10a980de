// The flag is stored relaxed: who sees it need not see the data. Repaired: release.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void pass(int* data, int* flag, int* out) {
  const auto i = ct::iota<ints<16>>();
  if (block() == 0) {
    ct::store(data + i, i); // @data
#ifdef RACY
    ct::atomic_store<relaxed, in_device>(flag, 1);
#else
    ct::atomic_store<release, in_device>(flag, 1);
#endif
  } else {
    while (ct::atomic_load<acquire, in_device>(flag) == 0) {
    }
    ct::store(out + i, ct::load(data + i)); // race: data-race with @data
  }
}

int main() {
  pass<<<2, 1>>>(zeros(16), zeros(1), zeros(16));
  return finish();
}
