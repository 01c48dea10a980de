// Math functions, compared within the bounds that are documented of them.
//
// Every value is kept, so there are few: specials, random patterns, and numbers about 1.
// SPDX-License-Identifier: Apache-2.0
#include "shaped.hpp"

using namespace gpu_test;

namespace op {
UNARY(exp, nothing, ct::exp(a))
UNARY(exp2, nothing, ct::exp2(a))
UNARY(log, nothing, ct::log(a))
UNARY(log2, nothing, ct::log2(a))
UNARY(sin, nothing, ct::sin(a))
UNARY(cos, nothing, ct::cos(a))
UNARY(tan, nothing, ct::tan(a))
UNARY(sinh, nothing, ct::sinh(a))
UNARY(cosh, nothing, ct::cosh(a))
UNARY(tanh, nothing, ct::tanh(a))
UNARY(rsqrt, nothing, ct::rsqrt(a))
BINARY(pow, nothing, ct::pow(a, b))
BINARY(atan2, nothing, ct::atan2(a, b))
UNARY(exp2_flush, nothing, ct::exp2<ct::subnormals_rounding_mode::round_subnormals_to_zero>(a))
UNARY(rsqrt_flush, nothing, ct::rsqrt<ct::subnormals_rounding_mode::round_subnormals_to_zero>(a))
UNARY(exp_approximate, nothing, ct::exp<ct::rounding_mode::round_approximate>(a))
UNARY(tanh_approximate, nothing, ct::tanh<ct::rounding_mode::round_approximate>(a))
UNARY(sqrt_approximate, nothing, ct::sqrt<ct::rounding_mode::round_approximate>(a))
} // namespace op

/// Specials, random patterns, and numbers of magnitudes from 2^-8 to 2^6.
std::vector<bits> arguments(const format& f) {
  std::vector<bits> made = operands::specials(f);
  operands::generator next(8);
  while (made.size() < 96) {
    made.push_back(next() & f.mask());
  }
  for (const bits x : numbers_between(f, 160, -8, 6, false, 9)) {
    made.push_back(x);
  }
  return made;
}

template <class T, class... Op>
void unary(list<Op...>) {
  (launch<Op, form::tile, T>(label_of<Op, form::tile, T>(),
                             {arguments(element<T>::layout)},
                             std::index_sequence<0>{}),
   ...);
}

/// Pairs of specials, and bases with exponents that lead neither to infinity nor to zero.
template <class T, class... Op>
void binary(list<Op...>) {
  constexpr format f = element<T>::layout;
  arrays values = operands::pairs(f, 8192);
  values[0].resize(128);
  values[1].resize(128);
  const auto base = numbers_between(f, 128, -3, 3, true, 10);
  const auto exponent = numbers_between(f, 128, -4, 3, false, 11);
  for (std::size_t i = 0; i < 128; ++i) {
    operands::append(values, {base[i], exponent[i]});
  }
  (launch<Op, form::tile, T, T>(
       label_of<Op, form::tile, T>(), values, std::index_sequence<0, 1>{}),
   ...);
}

/// Arguments of magnitudes up to 2^most: bounds may depend on it.
template <class Op>
void approximate(int most) {
  launch<Op, form::tile, float>(Op::text() + ", float, magnitudes below 2^" + std::to_string(most),
                                {numbers_between(element<float>::layout, 256, most - 12, most, false, 12)},
                                std::index_sequence<0>{});
}

int main() {
  using functions = list<op::exp,
                         op::exp2,
                         op::log,
                         op::log2,
                         op::sin,
                         op::cos,
                         op::tan,
                         op::sinh,
                         op::cosh,
                         op::tanh,
                         op::rsqrt>;
  for_each(floats{}, []<class T>() {
    unary<T>(functions{});
    binary<T>(list<op::pow, op::atan2>{});
  });
  unary<float>(list<op::exp2_flush, op::rsqrt_flush, op::sqrt_approximate, op::tanh_approximate>{});
  approximate<op::exp_approximate>(0);
  approximate<op::exp_approximate>(3);
  approximate<op::exp_approximate>(6);
  return done();
}
