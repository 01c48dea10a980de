// Split-K with a workspace: the block that arrives last adds up the parts of all. Its count of arrivals is relaxed.
// Repaired: acq_rel.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void multiply(const int* x, int* parts, int* arrived, int* result, int blocks) {
  const auto i = ct::iota<ints<8>>();
  ct::store(parts + block() * 8 + i, ct::load(x + i) * block()); // @part
#ifdef RACY
  const int others = ct::atomic_add<relaxed, in_device>(arrived, 1);
#else
  const int others = ct::atomic_add<acq_rel, in_device>(arrived, 1);
#endif
  if (others == blocks - 1) {
    auto sum = ct::zeros<ints<8>>();
    for (int b = 0; b < blocks; ++b) {
      sum = sum + ct::load(parts + b * 8 + i); // race: data-race with @part
    }
    ct::store(result + i, sum);
  }
}

int main() {
  multiply<<<4, 1>>>(copied(counting(8)), zeros(32), zeros(1), zeros(8), 4);
  return finish();
}
