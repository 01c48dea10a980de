// Operands of different types and shapes: conversion to a common type, broadcasts, scalars with
// tiles. SPDX-License-Identifier: Apache-2.0
#include "arithmetic.hpp"

using namespace gpu_test;

namespace op {
BINARY(plus, nothing, a + b)
BINARY(times, nothing, a* b)
BINARY(less, nothing, a < b)
BINARY(equal, nothing, a == b)
BINARY(shift_left, nothing, a << b)
BINARY(max, nothing, ct::max(a, b))
} // namespace op

/// A tile and a scalar of its own block, on either side; a row with a column.
template <class Op, class R, class A, class B>
__tile_global__ void with_scalar(R* result, const A* a, const B* b) {
  const auto i =
      ct::iota<ct::tile<int, ct::shape<block>>>() + static_cast<int>(ct::bid().x) * block;
  ct::store(result + i, Op::apply(ct::load(a + i), ct::load(b + static_cast<int>(ct::bid().x))));
}
template <class Op, class R, class A, class B>
__tile_global__ void row_and_column(R* result, const A* a, const B* b) {
  const auto row = ct::iota<ct::tile<int, ct::shape<1, 16>>>();
  const auto column = ct::iota<ct::tile<int, ct::shape<16, 1>>>();
  const int first = static_cast<int>(ct::bid().x) * 16;
  ct::store(result + (first * 16 + column * 16 + row),
            Op::apply(ct::load(a + (first + column)), ct::load(b + (first + row))));
}

/// Patterns of small numbers, for which integers stay defined.
template <class T>
std::vector<bits> small(std::size_t n, bits seed) {
  constexpr format f = element<T>::layout;
  operands::generator next(seed);
  std::vector<bits> made;
  for (std::size_t i = 0; i < n; ++i) {
    made.push_back(f.is_float() ? operands::neighbour(f, f.bias() << f.fraction, next)
                                : next() % (f.width == 1 ? 2 : 8));
  }
  return made;
}

enum class shape_of_two { same, scalar, outer };

template <class Op, class A, class B, shape_of_two Shape>
void run_mixed() {
  using R = result_of<Op, A, B>;
  const device_array<A> a(small<A>(4096, 5));
  const device_array<B> b(small<B>(4096, 6));
  const device_array<R> result(4096);
  std::string label = Op::text() + ", " + element<A>::name + " and " + element<B>::name;
  if constexpr (Shape == shape_of_two::same) {
    tile_form<Op, R, A, B><<<16, 1>>>(result.data(), a.data(), b.data());
  } else if constexpr (Shape == shape_of_two::scalar) {
    with_scalar<Op, R, A, B><<<16, 1>>>(result.data(), a.data(), b.data());
    label += " scalar";
  } else {
    row_and_column<Op, R, A, B><<<16, 1>>>(result.data(), a.data(), b.data());
    label += ", column and row";
  }
  check(cudaGetLastError(), label.c_str());
  result.retrieve(label);
  ++operations;
}

/// The operand types of a row.
template <class A, class B>
struct two {};

template <shape_of_two Shape, class... A, class... B>
void rows(list<two<A, B>...>) {
  ((run_mixed<op::plus, A, B, Shape>(),
    run_mixed<op::times, A, B, Shape>(),
    run_mixed<op::max, A, B, Shape>(),
    run_mixed<op::less, A, B, Shape>(),
    run_mixed<op::equal, A, B, Shape>()),
   ...);
}

int main() {
  rows<shape_of_two::same>(list<two<int, float>,
                                two<std::int64_t, float>,
                                two<std::uint64_t, double>,
                                two<int, __half>,
                                two<std::int16_t, __nv_bfloat16>,
                                two<bool, float>,
                                two<std::int8_t, std::int16_t>,
                                two<std::uint8_t, int>,
                                two<std::uint16_t, std::int64_t>,
                                two<bool, int>,
                                two<__half, float>,
                                two<__nv_bfloat16, double>,
                                two<float, double>>{});
  rows<shape_of_two::scalar>(list<two<float, int>,
                                  two<__half, std::int64_t>,
                                  two<double, float>,
                                  two<int, std::int8_t>,
                                  two<std::int64_t, std::uint32_t>>{});
  rows<shape_of_two::outer>(list<two<float, float>,
                                 two<int, float>,
                                 two<std::int16_t, std::int16_t>,
                                 two<double, __half>>{});
  run_mixed<op::shift_left, int, std::uint8_t, shape_of_two::same>();
  run_mixed<op::shift_left, std::uint64_t, int, shape_of_two::same>();
  run_mixed<op::shift_left, std::int8_t, std::int64_t, shape_of_two::scalar>();
  run_mixed<op::less, int, double, shape_of_two::scalar>();
  run_mixed<op::equal, int, float, shape_of_two::scalar>();
  return done();
}
