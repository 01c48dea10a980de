// The page on reductions and scans: a signed sum or product is undefined if any order of its
// elements would overflow, and each stands beside a neighbour that overflows in none.
//
// check.py reads the comments, see arithmetic.cu. The operands are loaded from a table.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"
#include "cuda_tile.h"

#include <climits>

namespace ct = cuda::tiles;
using namespace ct::literals;
using i32 = ct::tile<int, ct::shape<4>>;

template <class T> __tile__ void use(const T&) {}

template <class E = int> __tile__ auto row(const int* x, int number) {
  return ct::element_cast<E>(ct::load(x + number * 4 + ct::iota<i32>()));
}

__tile_global__ void sums(const int* x) {
  auto fits = row(x, 0);     // INT_MAX, -1, 0, 0
  auto in_order = row(x, 1); // INT_MAX, -1, 1, 0
  auto below = row(x, 2);    // INT_MIN, 0, -1, 5
  use(ct::sum(fits, 0_ic));
  use(ct::sum(in_order, 0_ic)); // error: reduction overflow: the positive elements of sum along dimension 0 add up to more than 2147483647 [reduction-overflow]
                                // | elements (*) of an i32 tile [4]: 2147483647, -1, 1, 0
                                // | by tile block (0,0,0) of sums
                                // | to fix: convert to a wider type first, or to an unsigned one where wrapping is meant: every order counts, so every partial result must fit
  use(ct::sum<0>(below)); // error: reduction overflow: the negative elements of sum along dimension 0 add up to less than -2147483648 [reduction-overflow]
  use(ct::sum(ct::element_cast<long>(in_order), 0_ic));
  use(ct::sum(ct::element_cast<unsigned>(in_order), 0_ic)); // wraps
  use(ct::sum(ct::element_cast<float>(in_order), 0_ic));
  auto square = ct::cat(ct::reshape<ct::shape<1, 4>>(fits), ct::reshape<ct::shape<1, 4>>(in_order), 0_ic);
  use(ct::sum(square, 1_ic)); // error: reduction overflow: the positive elements of sum along dimension 1 add up to more than 2147483647 [reduction-overflow]
                              // | elements (1,*) of an i32 tile [2x4]: 2147483647, -1, 1, 0
  use(ct::sum(square, 0_ic)); // error: reduction overflow: the positive elements of sum along dimension 0 add up to more than 2147483647 [reduction-overflow]
                              // | elements (*,0) of an i32 tile [2x4]: 2147483647, 2147483647
  for (int turn = 0; turn < 3; ++turn) {
    use(ct::sum(row<signed char>(x, 3) + (signed char)1, 0_ic)); // error: reduction overflow: the positive elements of sum along dimension 0 add up to more than 127 [reduction-overflow]
    use(ct::sum(row<signed char>(x, 3), 0_ic));                  // 100, 27, -100, -28
  }
  use(ct::reduce_max(below, 0_ic));
  use(ct::max_element(below, 0_ic));
}

__tile_global__ void products(const int* x) {
  auto zero_last = row(x, 4); // 65536, 65536, 0, 1
  auto lowest = row(x, 5);    // 65536, -32768, 1, 1
  auto turned = row(x, 6);    // 65536, -32768, 1, -1
  use(ct::prod(zero_last, 0_ic)); // error: reduction overflow: elements of prod along dimension 0 have a product that does not fit i32 [reduction-overflow]
                                  // | elements (*) of an i32 tile [4]: 65536, 65536, 0, 1
  use(ct::prod(lowest, 0_ic));
  use(ct::prod(turned, 0_ic)); // error: reduction overflow: elements of prod along dimension 0 have a product that does not fit i32 [reduction-overflow]
  use(ct::prod(ct::element_cast<unsigned>(zero_last), 0_ic));
}

__tile_global__ void scans(const int* x) {
  auto apart = row(x, 7); // INT_MAX, -1, 1, 0: a scan keeps 1 behind -1
  auto run = row(x, 8);   // -5, INT_MAX, 1, 0
  use(ct::partial_sum(apart, 0_ic));
  use(ct::partial_sum(apart, 0_ic, ct::scan_backward_t{}));
  use(ct::partial_sum(run, 0_ic)); // error: reduction overflow: elements 1 to 2 of partial_sum along dimension 0 add up to more than 2147483647 [reduction-overflow]
                                   // | elements (*) of an i32 tile [4]: -5, 2147483647, 1, 0
  use(ct::partial_sum(run, 0_ic, ct::scan_backward_t{})); // error: reduction overflow: elements 1 to 2 of partial_sum along dimension 0 add up to more than 2147483647 [reduction-overflow]
  use(ct::partial_sum(ct::element_cast<long>(run), 0_ic));
  use(ct::partial_prod(row(x, 4), 0_ic)); // error: reduction overflow: elements 0 to 1 of partial_prod along dimension 0 have a product that does not fit i32 [reduction-overflow]
  use(ct::partial_prod(row(x, 9), 0_ic)); // 65536, 0, 65536, 1: a scan keeps the zero between
}

int main() {
  const int rows[][4] = {{INT_MAX, -1, 0, 0},     {INT_MAX, -1, 1, 0},     {INT_MIN, 0, -1, 5},
                         {100, 27, -100, -28},    {65536, 65536, 0, 1},    {65536, -32768, 1, 1},
                         {65536, -32768, 1, -1},  {INT_MAX, -1, 1, 0},     {-5, INT_MAX, 1, 0},
                         {65536, 0, 65536, 1}};
  int* x = nullptr;
  cudaMalloc(&x, sizeof rows);
  cudaMemcpy(x, rows, sizeof rows, cudaMemcpyHostToDevice);
  sums<<<1, 1>>>(x);
  products<<<1, 1>>>(x);
  scans<<<1, 1>>>(x);
  cudaDeviceSynchronize();
}
