// A gather-scatter view's store lists row 3 twice. Repaired: each row once.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void write(const int* rows, int* out) {
  const auto view =
      ct::gather_scatter_view{ct::tensor_span{out, ct::extents{8_ic, 4_ic}}, ct::shape<4, 4>{}, 0_ic};
  const auto which = ct::load(rows + ct::iota<ints<4>>());
  view.store(ct::ones<ct::tile<int, ct::shape<4, 4>>>(), which, 0); // race: overlapping-store
}

int main() {
#ifdef RACY
  const std::vector<int> rows{3, 1, 3, 7};
#else
  const std::vector<int> rows{3, 1, 5, 7};
#endif
  write<<<1, 1>>>(copied(rows), zeros(32));
  return finish();
}
