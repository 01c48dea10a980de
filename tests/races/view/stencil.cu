// Overlapping tiles of a strided view are loaded, and the middle of each is stored back in place.
// Repaired: into another array.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void smooth(int* from, int* to) {
  const auto overlapping = ct::strided_view{ct::tensor_span{from, ct::extents{36_ic}}, ct::shape<8>{}, ct::strides{4_ic}};
  const auto middle = ct::partition_view{ct::tensor_span{to + 4, ct::extents{32_ic}}, ct::shape<4>{}};
  const auto tile = overlapping.load(block()); // @load
  middle.store(ct::extract(tile, ct::shape<4>{}, 1), block()); // race: data-race with @load
}

int main() {
  int* data = zeros(36);
#ifdef RACY
  smooth<<<8, 1>>>(data, data);
#else
  smooth<<<8, 1>>>(data, zeros(36));
#endif
  return finish();
}
