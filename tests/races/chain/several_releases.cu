// Each producer adds to a counter with a release; the consumer acquires the sum of all. The additions form one
// release sequence, so it acquires from every producer. Racy: one of them adds relaxed.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void collect(int* data, int* arrived, int* out) {
  if (block() < 4) {
    ct::store(data + block(), block()); // @data
#ifdef RACY
    if (block() == 2) {
      ct::atomic_add<relaxed, in_device>(arrived, 1);
    } else {
      ct::atomic_add<release, in_device>(arrived, 1);
    }
#else
    ct::atomic_add<release, in_device>(arrived, 1);
#endif
  } else {
    while (ct::atomic_load<acquire, in_device>(arrived) != 4) {
    }
    const auto i = ct::iota<ints<4>>();
    ct::store(out + i, ct::load(data + i)); // race: data-race with @data
  }
}

int main() {
  collect<<<5, 1>>>(zeros(4), zeros(1), zeros(4));
  return finish();
}
