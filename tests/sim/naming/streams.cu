// One kernel in two streams over one buffer, and memory from a helper that is never freed.
//
// SPDX-License-Identifier: Apache-2.0
#include "helpers.h"

namespace ct = cuda::tiles;

__tile_global__ void add_one(int* values) {
  const auto i = ct::iota<ct::tile<int, ct::shape<8>>>();
  ct::store(values + i, ct::load(values + i) + 1);
}

int main() {
  dbuf<int> shared(std::vector<int>(8)), other(4);
  int* const forgotten = make<int>(16);
  int* const too = make<int>(2);
  cudaMemset(forgotten, 0, 64);
  cudaMemset(too, 0, 8);
  cudaStream_t one;
  cudaStream_t two;
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  add_one<<<1, 1, 0, one>>>(shared.p);
  add_one<<<1, 1, 0, two>>>(shared.p);
  cudaDeviceSynchronize();
  cudaStreamDestroy(one);
  cudaStreamDestroy(two);
  return shared.get().size() == 8 ? 0 : 1;
}
