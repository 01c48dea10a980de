// A kernel writes every second element, the next one reads all. Repaired: it reads those.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void fill(int* data) {
  const auto i = 2 * ct::iota<ints<8>>();
  ct::store(data + i, i);
}
__tile_global__ void total(const int* data, int* out) {
#ifdef RACY
  const auto i = ct::iota<ints<16>>();
#else
  const auto i = 2 * ct::iota<ints<8>>();
#endif
  ct::store(out, sum_of(ct::load(data + i))); // race: uninitialised-read
}

int main() {
  int* data = unwritten(16);
  fill<<<1, 1>>>(data);
  total<<<1, 1>>>(data, unwritten(1));
  return finish();
}
