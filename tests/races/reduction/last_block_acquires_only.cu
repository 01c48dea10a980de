// As last_block_relaxed.cu, with half of the repair: the arrival acquires, but nobody releases.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void reduce(int* sums, int* arrived, int* total) {
  ct::store(sums + block(), 1 + block()); // @sum
#ifdef RACY
  const int others = ct::atomic_add<acquire, in_device>(arrived, 1);
#else
  const int others = ct::atomic_add<acq_rel, in_device>(arrived, 1);
#endif
  if (others == 3) {
    const auto all = ct::load(sums + ct::iota<ints<4>>()); // race: data-race with @sum
    ct::store(total, sum_of(all));
  }
}

int main() {
  reduce<<<4, 1>>>(zeros(4), zeros(1), zeros(1));
  return finish();
}
