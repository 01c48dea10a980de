// What operations make of masked-out elements of a load without padding: each finding says which load
// its operand comes from, and that it wants a padding. Beside it, findings of elements that the program
// has specified, which say nothing of the kind.
//
// check.py reads the comments, see arithmetic.cu.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"
#include "cuda_tile.h"

#include <climits>

namespace ct = cuda::tiles;
using namespace ct::literals;
using i32 = ct::tile<int, ct::shape<8>>;
using f32 = ct::tile<float, ct::shape<8>>;
using relaxed = ct::memory_order_relaxed_t;
constexpr int n = 5; // elements that there are: 0, 1, 2, 3, 4

template <class T> __tile__ void use(const T&) {}

__tile_global__ void elementwise(const int* x, int* y) {
  const auto i = ct::iota<i32>();
  const auto ones = ct::full<i32>(1);
  const auto mask = i < n;
  const auto v = ct::load_masked(x + i, mask); // @load
  const auto other = (v & ~7) != 0;            // than what there is
  ct::store_masked(y + i, v * 65537, mask); // error: signed overflow: 1629247602 * 65537 does not fit i32 [signed-overflow]
  // | the left operand depends on an unspecified value, from origins.cu:@load: the mask of a load without padding leaves out element (5) of an i32 tile [8], by tile block (0,0,0) of elementwise
  // | to fix: give the load a padding, as in load_masked(p, mask, 0), or select another value for these elements before anything depends on them
  ct::store_masked(y + i, 65537 * v, mask); // error: signed overflow: 65537 * 1629247602 does not fit i32 [signed-overflow]
  // | the right operand depends on an unspecified value, from origins.cu:@load: the mask of a load without padding leaves out element (5) of an i32 tile [8], by tile block (0,0,0) of elementwise
  // | to fix: give the load a padding, as in load_masked(p, mask, 0), or select another value for these elements before anything depends on them
  ct::store_masked(y + i, -ct::select(other, ct::full<i32>(INT_MIN), v), mask); // error: signed overflow: -(-2147483648) does not fit i32 [signed-overflow]
  // | the operand depends on an unspecified value, from origins.cu:@load: the mask of a load without padding leaves out element (5) of an i32 tile [8], by tile block (0,0,0) of elementwise
  // | to fix: give the load a padding, as in load_masked(p, mask, 0), or select another value for these elements before anything depends on them
  ct::store_masked(y + i, 8 / ct::select(other, ones - 1, ones), mask); // error: division by zero: 8 / 0 [division-by-zero]
  // | the right operand depends on an unspecified value, from origins.cu:@load: the mask of a load without padding leaves out element (5) of an i32 tile [8], by tile block (0,0,0) of elementwise
  // | to fix: give the load a padding, as in load_masked(p, mask, 0), or select another value for these elements before anything depends on them
  ct::store_masked(y + i, ct::select(other, ct::full<i32>(INT_MIN), v) % ct::select(other, -ones, ones), mask); // error: unrepresentable quotient: -2147483648 % -1, whose quotient does not fit i32 [unrepresentable-quotient]
  // | the left operand depends on an unspecified value, from origins.cu:@load: the mask of a load without padding leaves out element (5) of an i32 tile [8], by tile block (0,0,0) of elementwise
  // | the right operand depends on an unspecified value, from origins.cu:@load: the mask of a load without padding leaves out element (5) of an i32 tile [8], by tile block (0,0,0) of elementwise
  // | to fix: give the load a padding, as in load_masked(p, mask, 0), or select another value for these elements before anything depends on them
  ct::store_masked(y + i, ones << v, mask); // error: shift count out of range: 1 << 1629247602, where an i32 takes 0 to 31 [shift-out-of-range]
  // | the right operand depends on an unspecified value, from origins.cu:@load: the mask of a load without padding leaves out element (5) of an i32 tile [8], by tile block (0,0,0) of elementwise
  // | to fix: give the load a padding, as in load_masked(p, mask, 0), or select another value for these elements before anything depends on them
  ct::store_masked(y + i, ct::element_cast<int>(ct::select(other, ct::full<f32>(1.0e30F), ct::full<f32>(2))), mask); // error: conversion out of range: 1e+30 does not fit i32 [conversion-out-of-range]
  // | the operand depends on an unspecified value, from origins.cu:@load: the mask of a load without padding leaves out element (5) of an i32 tile [8], by tile block (0,0,0) of elementwise
  // | to fix: give the load a padding, as in load_masked(p, mask, 0), or select another value for these elements before anything depends on them
  ct::store_masked(y + i, ct::select(other, ct::full<i32>(INT_MAX), v) + ct::select(other, ones, v), mask); // error: signed overflow: 2147483647 + 1 does not fit i32 [signed-overflow]
  // | the left operand depends on an unspecified value, from origins.cu:@load: the mask of a load without padding leaves out element (5) of an i32 tile [8], by tile block (0,0,0) of elementwise
  // | the right operand depends on an unspecified value, from origins.cu:@load: the mask of a load without padding leaves out element (5) of an i32 tile [8], by tile block (0,0,0) of elementwise
  // | to fix: give the load a padding, as in load_masked(p, mask, 0), or select another value for these elements before anything depends on them
  use(ct::assume_bounded<0, 7>(v)); // error: assume_bounded does not hold: expected at most 7, got 1629247602 [broken-assumption]
  // | the value depends on an unspecified value, from origins.cu:@load: the mask of a load without padding leaves out element (5) of an i32 tile [8], by tile block (0,0,0) of elementwise
  // | to fix: give the load a padding, as in load_masked(p, mask, 0), or select another value for these elements before anything depends on them
  ct::store_masked(y + i, (v & 15) + INT_MAX, mask); // error: signed overflow: 1 + 2147483647 does not fit i32 [signed-overflow]
  // | to fix: use an unsigned type where wrapping is meant, or a wider one
}

// One of a known element is told, where there is one, and of that nothing is unspecified.
__tile_global__ void padded(const int* x, int* y) {
  const auto i = ct::iota<i32>();
  const auto mask = i < n;
  const auto v = ct::load_masked(x + i, mask, 0);
  ct::store_masked(y + i, v * 65537, mask);
  ct::store_masked(y + i, v + INT_MAX, mask); // error: signed overflow: 1 + 2147483647 does not fit i32 [signed-overflow]
  // | to fix: use an unsigned type where wrapping is meant, or a wider one
}

__tile_global__ void atomics(const int* x, int* y) {
  const auto i = ct::iota<i32>();
  const auto v = ct::load_masked(x + i, i < n); // @added
  const auto most = ct::select((v & ~7) != 0, ct::full<i32>(INT_MAX), v);
  ct::atomic_add(y + i, most, relaxed{}); // error: atomic overflow: atomic_add of 2147483647 to 1 does not fit i32 [atomic-overflow]
  // | what is added depends on an unspecified value, from origins.cu:@added: the mask of a load without padding leaves out element (5) of an i32 tile [8], by tile block (0,0,0) of atomics
  // | to fix: give the load a padding, as in load_masked(p, mask, 0), or select another value for these elements before anything depends on them
  ct::store(y + i, most);
  ct::atomic_add(y + i, ct::full<i32>(1), relaxed{}); // error: atomic overflow: atomic_add of 1 to 2147483647 does not fit i32 [atomic-overflow]
  // | the value in memory depends on an unspecified value, from origins.cu:@added: the mask of a load without padding leaves out element (5) of an i32 tile [8], by tile block (0,0,0) of atomics
  // | to fix: give the load a padding, as in load_masked(p, mask, 0), or select another value for these elements before anything depends on them
}

__tile_global__ void indices(const int* x, int* y) {
  const auto i = ct::iota<i32>();
  const auto v = ct::load_masked(x + i, i < n); // @index
  const auto at = static_cast<int>(ct::sum(v >> 3, 0_ic)); // 0 of what there is
  ct::partition_view view{ct::tensor_span{y, ct::extents{8}}, ct::shape<4>{}};
  use(view.load_masked(at)); // error: index -293123023 (read as 4001844273) along dimension 0 of a partition view with 2 tiles there [view-index]
  // | the index along dimension 0 depends on an unspecified value, from origins.cu:@index: the mask of a load without padding leaves out element (5) of an i32 tile [8], by tile block (0,0,0) of indices
  // | to fix: give the load a padding, as in load_masked(p, mask, 0), or select another value for these elements before anything depends on them
}

__tile_global__ void parts(const int* x) {
  const auto i = ct::iota<i32>();
  const auto v = ct::load_masked(x + i, i < n); // @part
  const auto at = static_cast<int>(ct::sum(v >> 3, 0_ic)); // 0 of what there is
  use(ct::extract(i, ct::shape<4>{}, at)); // error: extract index out of range: sub-tile 65286453 along dimension 0, where an i32 tile [8] has 2 of this shape [extract-index]
  // | the index depends on an unspecified value, from origins.cu:@part: the mask of a load without padding leaves out element (5) of an i32 tile [8], by tile block (0,0,0) of parts
  // | to fix: give the load a padding, as in load_masked(p, mask, 0), or select another value for these elements before anything depends on them
}

__tile_global__ void addresses(const int* x, int* y) {
  const auto i = ct::iota<i32>();
  const auto at = ct::load_masked(x + i, i < n); // @address
  ct::store(y + at, i); // address
}

int main(int count, char**) {
  int *x = nullptr, *y = nullptr;
  cudaMallocManaged(&x, 8 * sizeof(int));
  cudaMallocManaged(&y, 8 * sizeof(int));
  for (int k = 0; k < 8; ++k) {
    x[k] = k;
    y[k] = k;
  }
  elementwise<<<1, 1>>>(x, y);
  padded<<<1, 1>>>(x, y);
  cudaDeviceSynchronize();
  for (int k = 0; k < 8; ++k) {
    y[k] = 1;
  }
  atomics<<<1, 1>>>(x, y);
  indices<<<1, 1>>>(x, y);
  parts<<<1, 1>>>(x);
  if (count > 1) {
    addresses<<<1, 1>>>(x, y);
  }
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
