// A load beyond what has been written, of which a select drops the rest: it is read all the same.
// Repaired: a mask, which reads nothing.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void scale(const int* data, int* out, int n) {
  const auto i = ct::iota<ints<16>>();
#ifdef RACY
  const auto x = ct::select(i < n, ct::load(data + i), ct::zeros<ints<16>>()); // race: uninitialised-read
#else
  const auto x = ct::load_masked(data + i, i < n, 0);
#endif
  ct::store(out + i, x * 2);
}

int main() {
  int* data = unwritten(16);
  const std::vector<int> some = counting(11);
  cudaMemcpy(data, some.data(), some.size() * sizeof(int), cudaMemcpyHostToDevice);
  scale<<<1, 1>>>(data, unwritten(16), 11);
  return finish();
}
