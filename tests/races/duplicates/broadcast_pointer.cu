// A tile of sixteen copies of one pointer: every element of the store writes the same int.
// Repaired: a scalar pointer stores once.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void set(int* out) {
#ifdef RACY
  const auto everywhere = ct::full<ct::tile<int*, ct::shape<16>>>(out);
  ct::store(everywhere, ct::ones<ints<16>>()); // race: duplicate-store
#else
  ct::store(out, 1);
#endif
}

int main() {
  set<<<1, 1>>>(zeros(1));
  return finish();
}
