// Two spans over one array, for its two halves: the second begins one row too early.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void fill(int* data, int second_row) {
  const auto shape = ct::extents{4_ic, 8_ic};
  const auto value = ct::ones<ct::tile<int, ct::shape<4, 8>>>();
  if (block() == 0) {
    ct::partition_view{ct::tensor_span{data, shape}, ct::shape<4, 8>{}}.store(value, 0, 0); // @first
  } else {
    ct::partition_view{ct::tensor_span{data + second_row * 8, shape}, ct::shape<4, 8>{}}.store(value, 0, 0); // race: data-race with @first
  }
}

int main() {
#ifdef RACY
  fill<<<2, 1>>>(zeros(64), 3);
#else
  fill<<<2, 1>>>(zeros(64), 4);
#endif
  return finish();
}
