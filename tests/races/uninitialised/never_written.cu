// cudaMalloc's memory holds anything at all. Repaired: cudaMemset.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void add_one(const int* data, int* out) {
  const auto i = ct::iota<ints<16>>();
  ct::store(out + i, ct::load(data + i) + 1); // race: uninitialised-read
}

int main() {
#ifdef RACY
  add_one<<<1, 1>>>(unwritten(16), unwritten(16));
#else
  add_one<<<1, 1>>>(zeros(16), unwritten(16));
#endif
  return finish();
}
