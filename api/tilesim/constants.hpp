// Integral constants and the `_ic` literal: numbers that are types, so that they can be arguments.
//
// `sum(x, 1_ic)`, `shape{4_ic, 8_ic}`; the literal stands in cuda::tiles::literals.
// [constant wrappers and flags]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/scalar.hpp>

namespace cuda::tiles::inline __1 {

/// The integer Value as an empty type. Converts to a number wherever one is wanted; it is no
/// operand of a tile operation.
template <integral auto Value>
struct integral_constant {
  using value_type = ::std::remove_cv_t<decltype(Value)>;
  using type = integral_constant;
  static constexpr value_type value = Value;
  constexpr operator value_type() const noexcept { return Value; }
  constexpr value_type operator()() const noexcept { return Value; }
};

// Operators between constants give a constant, of the type that C++ gives them.
// clang-format off
#define TILESIM_CONSTANT_OPERATOR(op)                                                              \
  template <auto L, auto R>                                                                        \
  constexpr integral_constant<(L op R)> operator op(integral_constant<L>,                          \
                                                    integral_constant<R>) noexcept {               \
    return {};                                                                                     \
  }
TILESIM_CONSTANT_OPERATOR(+)
TILESIM_CONSTANT_OPERATOR(-)
TILESIM_CONSTANT_OPERATOR(*)
TILESIM_CONSTANT_OPERATOR(/)
TILESIM_CONSTANT_OPERATOR(%)
TILESIM_CONSTANT_OPERATOR(&)
TILESIM_CONSTANT_OPERATOR(|)
TILESIM_CONSTANT_OPERATOR(^)
TILESIM_CONSTANT_OPERATOR(<<)
TILESIM_CONSTANT_OPERATOR(>>)
#undef TILESIM_CONSTANT_OPERATOR
// clang-format on

template <auto V>
constexpr integral_constant<(+V)> operator+(integral_constant<V>) noexcept {
  return {};
}
template <auto V>
constexpr integral_constant<(-V)> operator-(integral_constant<V>) noexcept {
  return {};
}
template <auto V>
constexpr integral_constant<(~V)> operator~(integral_constant<V>) noexcept {
  return {};
}

namespace detail {

// Declared only: a call is an error at compile time whose text is the name.
void literal_takes_decimal_digits_only();
void literal_is_too_large();

/// Decimal digits and separators, read as a number; larger than 2^63 - 1 or anything else is an
/// error at compile time.
template <char... Digits>
consteval long literal_value() {
  constexpr char digits[] = {Digits...};
  if (sizeof...(Digits) != 1 && digits[0] == '0') {
    literal_takes_decimal_digits_only();
  }
  unsigned long value = 0;
  for (const char c : digits) {
    if (c == '\'') {
      continue;
    }
    if (c < '0' || c > '9') {
      literal_takes_decimal_digits_only();
    }
    const auto digit = static_cast<unsigned long>(c - '0');
    if (value > (0x7fff'ffff'ffff'ffffUL - digit) / 10) {
      literal_is_too_large();
    }
    value = value * 10 + digit;
  }
  return static_cast<long>(value);
}

template <long Value>
constexpr auto literal_constant() noexcept {
  if constexpr (Value <= 0x7fff'ffff) {
    return integral_constant<static_cast<int>(Value)>{};
  } else {
    return integral_constant<Value>{};
  }
}

/// Equality of two integers as numbers, whatever their types.
template <class L, class R>
constexpr bool same_number(L lhs, R rhs) noexcept {
  return (lhs < L{0}) == (rhs < R{0}) &&
         static_cast<unsigned long long>(lhs) == static_cast<unsigned long long>(rhs);
}

} // namespace detail

namespace literals {

/// `16_ic` is `integral_constant<16>{}`: an int if it fits, otherwise a long.
template <char... Digits>
constexpr auto operator""_ic() noexcept {
  return detail::literal_constant<detail::literal_value<Digits...>()>();
}

} // namespace literals
} // namespace cuda::tiles::inline __1
