// Split-K: each block multiplies a part of K and adds its product to the result with a load and a store.
// Repaired: atomic_add.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

using matrix = ct::tile<float, ct::shape<4, 4>>;

__tile_global__ void multiply(const float* a, const float* b, float* c) {
  const auto row = ct::reshape<ct::shape<4, 1>>(ct::iota<ints<4>>());
  const auto column = ct::reshape<ct::shape<1, 4>>(ct::iota<ints<4>>());
  const int k = 4 * block();
  const auto product = ct::mma(ct::load(a + (row * 16 + k + column)), ct::load(b + ((k + row) * 4 + column)),
                               ct::zeros<matrix>());
  const auto place = c + (row * 4 + column);
#ifdef RACY
  const auto sum = ct::load(place);  // @load
  ct::store(place, sum + product);   // race: data-race with @load
#else
  ct::atomic_add<relaxed, in_device>(place, product);
#endif
}

int main() {
  multiply<<<4, 1>>>(zeros<float>(64), zeros<float>(64), zeros<float>(16));
  return finish();
}
