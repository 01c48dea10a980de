// Data and flags through views: the view's atomic_store releases, its atomic_load acquires. Racy: relaxed.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void pass(int* data, int* flag, int* out) {
  const auto values = ct::partition_view{ct::tensor_span{data, ct::extents{8_ic}}, ct::shape<8>{}};
  const auto flags = ct::partition_view{ct::tensor_span{flag, ct::extents{1_ic}}, ct::shape<1>{}};
  if (block() == 0) {
    values.store(ct::iota<ints<8>>(), 0); // @data
#ifdef RACY
    flags.atomic_store<relaxed, in_device>(ct::ones<ints<1>>(), 0);
#else
    flags.atomic_store<release, in_device>(ct::ones<ints<1>>(), 0);
#endif
  } else {
    while (static_cast<int>(flags.atomic_load<acquire, in_device>(0)) == 0) {
    }
    ct::store(out + ct::iota<ints<8>>(), values.load(0)); // race: data-race with @data
  }
}

int main() {
  pass<<<2, 1>>>(zeros(8), zeros(1), zeros(8));
  return finish();
}
