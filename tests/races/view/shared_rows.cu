// Blocks scatter rows through a gather-scatter view; two lists have a row in common. Repaired: they have none.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void scatter(const int* rows, int* out) {
  const auto view =
      ct::gather_scatter_view{ct::tensor_span{out, ct::extents{16_ic, 4_ic}}, ct::shape<4, 4>{}, 0_ic};
  const auto mine = ct::load(rows + block() * 4 + ct::iota<ints<4>>());
  view.store(ct::ones<ct::tile<int, ct::shape<4, 4>>>(), mine, 0); // race: data-race
}

int main() {
  std::vector<int> rows{0, 5, 10, 15, 1, 6, 11, 12};
#ifdef RACY
  rows[6] = 10;
#endif
  scatter<<<2, 1>>>(copied(rows), zeros(64));
  return finish();
}
