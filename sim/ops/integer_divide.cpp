// Integer division and remainder.  [arithmetic operations: division, ceildiv, floordiv, remainder]
//
// Undefined for a zero divisor and for the minimum over -1. What the hardware then gives is
// measured (an H200); a program must not rely on it.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/integer_types.hpp"
#include "sim/ops/tables.hpp"

namespace tilesim::sim::ops {
namespace {

using machine::opcode;
using machine::rounding;
using machine::signedness;

template <class T>
bool quotient_overflows(T a, T b) noexcept {
  if constexpr (std::is_signed_v<T>) {
    return a == lowest_of<T> && b == T{-1};
  } else {
    return false;
  }
}

template <class T>
struct undefined_quotient {
  static bool undefined(T a, T b) noexcept { return b == 0 || quotient_overflows(a, b); }
  static undefined_kind why(T, T b) noexcept {
    return b == 0 ? undefined_kind::division_by_zero : undefined_kind::unrepresentable_quotient;
  }
};

/// What the hardware gives for a / 0 and a % 0: all ones, but 2^32 - 1 where its 64-bit division
/// takes the 32-bit path.
template <class T>
T over_zero(T a) noexcept {
  if constexpr (sizeof(T) == 8) {
    if ((static_cast<std::uint64_t>(a) >> 32) == 0) {
      return static_cast<T>(0xffffffffU);
    }
  }
  return static_cast<T>(~modular<T>{0});
}

// trunc(a / b).  [arithmetic operations: division]
template <class T>
struct divide : undefined_quotient<T> {
  static T apply(T a, T b) noexcept {
    if (b == 0) {
      return over_zero(a);
    }
    return quotient_overflows(a, b) ? a : static_cast<T>(a / b);
  }
};

// ceil(a / b).  [arithmetic operations: ceildiv]
template <class T>
struct divide_up : undefined_quotient<T> {
  static T apply(T a, T b) noexcept {
    if (b == 0) {
      return std::is_signed_v<T> && a <= 0 ? static_cast<T>(~modular<T>{0}) : T{0};
    }
    if (quotient_overflows(a, b)) {
      return a;
    }
    const bool inexact = a % b != 0;
    return static_cast<T>(a / b + ((inexact && (a < 0) == (b < 0)) ? 1 : 0));
  }
};

// floor(a / b).  [arithmetic operations: floordiv]
template <class T>
struct divide_down : undefined_quotient<T> {
  static T apply(T a, T b) noexcept {
    if (b == 0) {
      return static_cast<T>(~modular<T>{0} - (a < 0 ? 1U : 0U));
    }
    if (quotient_overflows(a, b)) {
      return a;
    }
    const bool inexact = a % b != 0;
    return static_cast<T>(a / b - ((inexact && (a < 0) != (b < 0)) ? 1 : 0));
  }
};

// a - trunc(a / b) * b, undefined where that quotient is.  [arithmetic operations: remainder]
template <class T>
struct remainder : undefined_quotient<T> {
  static T apply(T a, T b) noexcept {
    if (b == 0) {
      return over_zero(a);
    }
    return quotient_overflows(a, b) ? T{0} : static_cast<T>(a % b);
  }
};

} // namespace

table_entry
find_integer_divide(opcode op, const machine::attributes& modes, element kind) noexcept {
  const bool is_signed = modes.sign == signedness::signed_;
  if (op == opcode::remi) {
    return at(is_signed ? signed_binary<remainder> : unsigned_binary<remainder>, kind);
  }
  switch (modes.round) {
  case rounding::positive_inf:
    return at(is_signed ? signed_binary<divide_up> : unsigned_binary<divide_up>, kind);
  case rounding::negative_inf:
    return at(is_signed ? signed_binary<divide_down> : unsigned_binary<divide_down>, kind);
  case rounding::zero:
  case rounding::nearest_even: // the attributes' default: the caller did not set a rounding
    return at(is_signed ? signed_binary<divide> : unsigned_binary<divide>, kind);
  case rounding::approx:
  case rounding::full:
  case rounding::nearest_int_to_zero:
  case rounding::nearest_away:
    break;
  }
  return {};
}

} // namespace tilesim::sim::ops
