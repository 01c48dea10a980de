// A compare-exchange of cuda::tiles that fails writes back what it read, so a plain read beside it races; one that is
// masked out does nothing.  [memory operations: atomic_compare_exchange]
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void look(int* data, int* out) {
  const auto i = ct::iota<ints<8>>();
  if (block() == 0) {
#ifdef RACY
    const auto mask = i < 8;
#else
    const auto mask = i < 4;
#endif
    ct::atomic_compare_exchange_masked<relaxed, in_device>(data + i, i + 7, i, mask); // race: data-race with @plain
  } else {
    ct::store(out, static_cast<int>(ct::load(data + 6))); // @plain
  }
}

int main() {
  look<<<2, 1>>>(zeros(8), zeros(1));
  return finish();
}
