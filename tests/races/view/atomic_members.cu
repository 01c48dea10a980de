// Blocks add to one tile of a view. Repaired: the view's atomic_add.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void add(int* data) {
  const auto view = ct::partition_view{ct::tensor_span{data, ct::extents{8_ic}}, ct::shape<8>{}};
#ifdef RACY
  const auto before = view.load(0);              // @load
  view.store(before + ct::ones<ints<8>>(), 0); // race: data-race with @load
#else
  view.atomic_add(ct::ones<ints<8>>(), ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{}, 0);
#endif
}

int main() {
  add<<<4, 1>>>(zeros(8));
  return finish();
}
