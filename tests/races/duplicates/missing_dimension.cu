// The address of a 4 x 4 tile forgets the columns: the elements of a row share a place.
// Repaired: row * 4 + column.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

using square = ct::tile<int, ct::shape<4, 4>>;

__tile_global__ void write(int* out) {
  const auto row = ct::reshape<ct::shape<4, 1>>(ct::iota<ints<4>>());
  const auto column = ct::reshape<ct::shape<1, 4>>(ct::iota<ints<4>>());
#ifdef RACY
  const auto place = ct::broadcast<ct::shape<4, 4>>(row);
#else
  const auto place = row * 4 + column;
#endif
  ct::store(out + place, ct::ones<square>()); // race: duplicate-store
}

int main() {
  write<<<1, 1>>>(zeros(16));
  return finish();
}
