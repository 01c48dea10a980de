// The stride of a tensor's rows is 2 where rows have 4 elements: the view's store writes the shared places
// twice. Repaired: a stride of 4.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void write(int* out) {
  const auto shape = ct::extents{4_ic, 4_ic};
#ifdef RACY
  const auto layout = ct::layout_strided_mapping{shape, ct::strides{2_ic, 1_ic}};
#else
  const auto layout = ct::layout_strided_mapping{shape, ct::strides{4_ic, 1_ic}};
#endif
  const auto view = ct::partition_view{ct::tensor_span{out, layout}, ct::shape<4, 4>{}};
  view.store(ct::ones<ct::tile<int, ct::shape<4, 4>>>(), 0, 0); // race: overlapping-store
}

int main() {
  write<<<1, 1>>>(zeros(16));
  return finish();
}
