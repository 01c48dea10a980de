// Rows of 12 lie 16 apart, and another block uses what is between them. A tile of 16 columns that is masked by a span
// of 12 leaves that alone. Racy: the span says 16.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

template <int Columns>
__tile_global__ void fill(int* data) {
  if (block() == 0) {
    const auto layout = ct::layout_strided_mapping{ct::extents{4_ic, ct::integral_constant<Columns>{}}, ct::strides{16_ic, 1_ic}};
    const auto rows = ct::partition_view{ct::tensor_span{data, layout}, ct::shape<4, 16>{}};
    rows.store_masked(ct::ones<ct::tile<int, ct::shape<4, 16>>>(), 0, 0); // @rows
  } else {
    const auto layout = ct::layout_strided_mapping{ct::extents{4_ic, 4_ic}, ct::strides{16_ic, 1_ic}};
    const auto between = ct::partition_view{ct::tensor_span{data + 12, layout}, ct::shape<4, 4>{}};
    between.store(ct::zeros<ct::tile<int, ct::shape<4, 4>>>(), 0, 0); // race: data-race with @rows
  }
}

int main() {
#ifdef RACY
  fill<16><<<2, 1>>>(zeros(64));
#else
  fill<12><<<2, 1>>>(zeros(64));
#endif
  return finish();
}
