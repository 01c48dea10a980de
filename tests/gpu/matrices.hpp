// Products of matrices as operations: mma and matmul on tiles of given types and shapes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shaped.hpp"

namespace gpu_test {

template <class A, class B, class C, class SA, class SB, class SC>
__tile_global__ void product(C* result, const A* a, const B* b, const C* c) {
  const int block = static_cast<int>(ct::bid().x);
  auto r = ct::mma(load_tile<SA>(a, block), load_tile<SB>(b, block), load_tile<SC>(c, block));
  ct::store(place_of_tile<decltype(r)>(result, block), r);
}
template <class A, class B, class C, class SA, class SB, class SC>
__tile_global__ void product_alone(C* result, const A* a, const B* b) {
  const int block = static_cast<int>(ct::bid().x);
  auto r = ct::matmul(load_tile<SA>(a, block), load_tile<SB>(b, block));
  ct::store(place_of_tile<decltype(r)>(result, block), r);
}

/// Operands of a product: left, right, accumulator, as many tiles as they hold.
using make_operands = std::vector<bits> (*)(const format&, std::size_t count, bits seed);

template <class A, class B, class C, class SA, class SB, class SC>
void multiply(const std::string& what,
              std::size_t tiles,
              make_operands factors,
              make_operands summands) {
  const auto a = factors(element<A>::layout, tiles * shape_text<SA>::size, 50);
  const auto b = factors(element<B>::layout, tiles * shape_text<SB>::size, 51);
  const auto c = summands(element<C>::layout, tiles * shape_text<SC>::size, 52);
  const device_array<A> left(a);
  const device_array<B> right(b);
  const device_array<C> acc(c);
  const device_array<C> out(tiles * shape_text<SC>::size);
  const std::string label = std::string("mma, ") + element<A>::name + " * " + element<B>::name +
                            " + " + element<C>::name + ", " + shape_text<SA>::text() + " * " +
                            shape_text<SB>::text() + ", " + what;
  product<A, B, C, SA, SB, SC>
      <<<static_cast<unsigned>(tiles), 1>>>(out.data(), left.data(), right.data(), acc.data());
  check(cudaGetLastError(), label.c_str());
  out.retrieve(label);
  ++operations;
}

template <class A, class B, class C, class SA, class SB, class SC>
void multiply_alone(const std::string& what, std::size_t tiles, make_operands factors) {
  const auto a = factors(element<A>::layout, tiles * shape_text<SA>::size, 53);
  const auto b = factors(element<B>::layout, tiles * shape_text<SB>::size, 54);
  const device_array<A> left(a);
  const device_array<B> right(b);
  const device_array<C> out(tiles * shape_text<SC>::size);
  const std::string label = std::string("matmul, ") + element<A>::name + " * " + element<B>::name +
                            ", " + shape_text<SA>::text() + " * " + shape_text<SB>::text() + ", " +
                            what;
  product_alone<A, B, C, SA, SB, SC>
      <<<static_cast<unsigned>(tiles), 1>>>(out.data(), left.data(), right.data());
  check(cudaGetLastError(), label.c_str());
  out.retrieve(label);
  ++operations;
}

/// Calls action.operator()<A, C>() for each pair of an element type with a type that its products
/// are added up in.
template <class Action>
void for_each_float_product(Action action) {
  action.template operator()<__nv_fp8_e4m3, __half>();
  action.template operator()<__nv_fp8_e4m3, float>();
  action.template operator()<__nv_fp8_e5m2, __half>();
  action.template operator()<__nv_fp8_e5m2, float>();
  action.template operator()<__half, __half>();
  action.template operator()<__half, float>();
  action.template operator()<__nv_bfloat16, float>();
  action.template operator()<__nv_tf32, float>();
  action.template operator()<float, float>();
  action.template operator()<double, double>();
}

/// Numbers of all the format's bits, of either sign.
inline std::vector<bits> any_numbers(const format& f, std::size_t count, bits seed) {
  return numbers_between(f, count, -4, 4, false, seed);
}

/// Multiplies matrices M x K and K x N.
template <class A, class C, int M, int N, int K>
void multiply_matrices(const std::string& what,
                       std::size_t tiles,
                       make_operands factors,
                       make_operands summands) {
  multiply<A, A, C, shape<M, K>, shape<K, N>, shape<M, N>>(what, tiles, factors, summands);
}

} // namespace gpu_test
