// Every block stores to tile 0 of a partition. Repaired: to the tile of its number.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void fill(int* data) {
  const auto view = ct::partition_view{ct::tensor_span{data, ct::extents{32_ic}}, ct::shape<8>{}};
#ifdef RACY
  const int tile = 0;
#else
  const int tile = block();
#endif
  view.store(ct::full<ints<8>>(block()), tile); // race: data-race
}

int main() {
  fill<<<4, 1>>>(zeros(32));
  return finish();
}
