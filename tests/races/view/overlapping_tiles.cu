// The tiles of a strided view overlap when its steps are shorter than its tiles. To load them is fine; to store them
// from several blocks races. Repaired: steps as long as the tiles.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void fill(int* data) {
  const ct::tensor_span span{data, ct::extents{32_ic}};
#ifdef RACY
  const auto view = ct::strided_view{span, ct::shape<8>{}, ct::strides{4_ic}};
#else
  const auto view = ct::strided_view{span, ct::shape<8>{}, ct::strides{8_ic}};
#endif
  view.store_masked(ct::full<ints<8>>(block()), block()); // race: data-race
}

int main() {
  fill<<<4, 1>>>(zeros(32));
  return finish();
}
