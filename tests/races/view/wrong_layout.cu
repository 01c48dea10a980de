// Half of the blocks take the matrix for column-major. Repaired: one layout for all.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void fill(int* data) {
  const auto shape = ct::extents{8_ic, 8_ic};
  const auto value = ct::ones<ct::tile<int, ct::shape<1, 8>>>();
  const int row = block();
  if (row % 2 == 0) {
    ct::partition_view{ct::tensor_span{data, shape}, ct::shape<1, 8>{}}.store(value, row, 0); // @right
  } else {
#ifdef RACY
    ct::partition_view{ct::tensor_span{data, shape, ct::layout_left{}}, ct::shape<1, 8>{}}.store(value, row, 0); // race: data-race with @right
#else
    ct::partition_view{ct::tensor_span{data, shape}, ct::shape<1, 8>{}}.store(value, row, 0);
#endif
  }
}

int main() {
  fill<<<8, 1>>>(zeros(64));
  return finish();
}
