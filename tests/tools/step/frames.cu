// A launch behind several calls: a function, a lambda and what calls it.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <functional>

namespace ct = cuda::tiles;

__tile__ inline __attribute__((always_inline)) int inner(const int* p) {
  return (int)ct::load(p);
}

__tile_global__ void fill(int* p) {
  const int found = inner(p);
  ct::store(p, found + 1);
}

void launch(int* p) {
  fill<<<1, 1>>>(p);
}

void call(const std::function<void()>& f) {
  f();
}

int main() {
  int* p;
  cudaMalloc(&p, 4);
  cudaMemset(p, 0, 4);
  call([&] { launch(p); });
  cudaFree(p);
}
