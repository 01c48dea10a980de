// The numbers of the floating-point formats: how many there are, and how far they lie apart.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/element.hpp>

#include <algorithm>
#include <cmath>

namespace tilesim::sim::ops {

/// A format: its precision in bits, the exponent of its smallest normal number, and the one of the
/// first power of two that it lacks.
struct number_format {
  int precision, least, end;
};

/// Of f16, bf16, f32 and f64; tf32 has a float's, for it may have its bits.
[[nodiscard]] constexpr number_format format_of(element kind) noexcept {
  switch (kind) {
  case element::f16:
    return {11, -14, 16};
  case element::bf16:
    return {8, -126, 128};
  case element::f64:
    return {53, -1022, 1024};
  default:
    return {24, -126, 128};
  }
}

/// The spacing of the format's numbers at x.
[[nodiscard]] inline long double unit_at(const number_format& f, long double x) noexcept {
  const int exponent = x == 0 ? f.least : std::max(std::ilogb(x), f.least);
  return std::ldexp(1.0L, std::min(exponent, f.end - 1) - (f.precision - 1));
}

/// The smallest normal number.
[[nodiscard]] inline long double least_normal(const number_format& f) noexcept {
  return std::ldexp(1.0L, f.least);
}

} // namespace tilesim::sim::ops
