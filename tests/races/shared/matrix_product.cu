// Tiles of two matrices, loaded round by round. Racy: the next tiles are loaded while others still multiply.
// Repaired: a barrier behind the product.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

constexpr int side = 4;
constexpr int rounds = 3;

__global__ void multiply(const int* a, const int* b, int* c) {
  __shared__ int left[side][side];
  __shared__ int right[side][side];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    left[y][x] = a[y * side * rounds + round * side + x]; // @left
    right[y][x] = b[(round * side + y) * side + x];       // @right
    __syncthreads();
    for (int k = 0; k < side; ++k) {
      const int l = left[y][k]; // race: data-race with @left
      sum += l * right[k][x];   // race: data-race with @right
    }
#ifndef RACY
    __syncthreads();
#endif
  }
  c[y * side + x] = sum;
}

int main() {
  const std::vector<int> a = counting(side * side * rounds);
  multiply<<<1, dim3(side, side)>>>(copied(a), copied(a), zeros(side * side));
  return finish();
}
