// One rounding instead of two: rounding to odd on the way down, and the hardware's rounding modes.
//
// A value rounded to odd (inexact results take the neighbour whose last bit is 1) keeps the memory
// of having been inexact. If the wide format has at least two bits more than the narrow one, at
// every magnitude, then rounding the odd value to the narrow format, in any direction, gives the
// same as rounding the exact one.  (Boldo and Melquiond, "When double rounding is odd".)
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/fp/cells.hpp"

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace tilesim::sim::fp {

[[gnu::always_inline]] inline double as_double(std::uint64_t bits) noexcept {
  return std::bit_cast<double>(bits);
}
[[gnu::always_inline]] inline std::uint64_t bits_of(double value) noexcept {
  return std::bit_cast<std::uint64_t>(value);
}

using detail::add_to_odd;

/// double to float, rounded to odd: magnitudes beyond float's range give its largest value (which
/// is odd), those below its least the least; a NaN stays some NaN. No condition is a branch for the
/// compiler, so that this vectorises among other things.
[[gnu::always_inline]] inline float to_odd(double x) noexcept {
  const auto nearest = static_cast<float>(x);
  const auto back = static_cast<double>(nearest);
  const std::uint32_t bits = bits_of(nearest);
  const std::uint32_t inexact = back != x ? 1U : 0U;
  const std::uint32_t farther = std::fabs(x) > std::fabs(back) ? 1U : 0U;
  return as_float((bits | farther) - (inexact & ~farther & ~bits));
}

/// double to a narrow cell in one rounding: every narrow format has at least 2 bits less than float
/// at every magnitude, subnormal ones included.
template <narrow_cell Cell>
[[gnu::always_inline]] inline Cell narrow(double x) noexcept {
  return narrow<Cell>(to_odd(x));
}
template <narrow_cell Cell>
Cell narrow(double x, direction mode) noexcept {
  return narrow<Cell>(to_odd(x), mode);
}

/// An integer as a double: exact up to 32 bits, rounded to odd beyond, to nearest by `nearest`.
template <class Integer>
[[gnu::always_inline]] inline double integer_to_odd(Integer x) noexcept {
  if constexpr (sizeof(Integer) < 8) {
    return static_cast<double>(x);
  } else {
    const auto high =
        static_cast<std::conditional_t<std::is_signed_v<Integer>, std::int32_t, std::uint32_t>>(x >>
                                                                                                32);
    const auto low = static_cast<std::uint32_t>(static_cast<std::uint64_t>(x));
    return add_to_odd(static_cast<double>(high) * 0x1p32, static_cast<double>(low));
  }
}

/// Sets the direction in which this thread's hardware rounds, for as long as it lives.
class rounding_scope {
public:
  explicit rounding_scope(direction mode) noexcept
      : before_(std::fegetround()) {
    std::fesetround(hardware(mode));
  }
  ~rounding_scope() { std::fesetround(before_); }
  rounding_scope(const rounding_scope&) = delete;
  rounding_scope& operator=(const rounding_scope&) = delete;

private:
  static int hardware(direction mode) noexcept {
    switch (mode) {
    case direction::zero:
      return FE_TOWARDZERO;
    case direction::negative_inf:
      return FE_DOWNWARD;
    case direction::positive_inf:
      return FE_UPWARD;
    case direction::nearest_even:
    case direction::nearest_away:
      break;
    }
    return FE_TONEAREST;
  }
  int before_;
};

} // namespace tilesim::sim::fp
