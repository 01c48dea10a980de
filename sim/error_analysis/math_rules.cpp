// The rules of mathematical functions that plain C++ code calls.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/error_analysis/math_rules.hpp"

#include "sim/ops/number_format.hpp"

#include <algorithm>
#include <cmath>

namespace tilesim::sim::errors {

namespace {

constexpr double of_rounding = 0.501; // here, and that of the exact result

/// How far the function may be off where its operand is x and its exact result y.
long double off(const math_function& f, element kind, long double x, long double y) {
  if (std::isinf(y)) {
    return 0;
  }
  const double ulps = (kind == element::f32 ? f.ulps_of_float : f.ulps_of_double) +
                      std::floor(f.ulps_per_unit * static_cast<double>(std::fabs(x)));
  return (ulps + of_rounding) * ops::unit_at(ops::format_of(kind), y);
}

/// What is off by so much, and then rounded.
long double with_rounding(element kind, double absolute, long double y) {
  return absolute + of_rounding * ops::unit_at(ops::format_of(kind), y);
}

enclosure
around(element kind, long double lo, long double below, long double hi, long double above) {
  return {up_to(kind, lo - below), down_to(kind, hi + above), 0};
}

/// The exact results at the ends, and as far off as the function may be.
enclosure monotone(const math_function& f, element kind, const enclosure& x, const because& why) {
  const long double a = f.exact(x.lo);
  const long double b = f.exact(x.hi);
  if (std::isnan(a) || std::isnan(b)) {
    return std::isnan(a) && std::isnan(b)
               ? some_nan()
               : opened(why("an error decides whether the result is a NaN"));
  }
  long double off_a = off(f, kind, x.lo, a);
  long double off_b = off(f, kind, x.hi, b);
  if (f.absolute != 0 && x.lo <= f.to && x.hi >= f.from) {
    const bool inside = x.lo >= f.from && x.hi <= f.to;
    const long double off_inside =
        with_rounding(kind, f.absolute, std::max(std::fabs(a), std::fabs(b)));
    off_a = inside ? off_inside : std::max(off_a, off_inside);
    off_b = inside ? off_inside : std::max(off_b, off_inside);
  }
  return a <= b ? around(kind, a, off_a, b, off_b) : around(kind, b, off_b, a, off_a);
}

/// It changes by no more than its operand does: everything between the ends is near one of them.
enclosure wave(const math_function& f, element kind, const enclosure& x, const because& why) {
  if (std::isnan(f.exact(x.lo)) && std::isnan(f.exact(x.hi))) {
    return some_nan();
  }
  if (x.lo < f.from || x.hi > f.to) {
    return opened(why("a fast sine or cosine beyond pi: how far it is off is not documented"));
  }
  const long double a = f.exact(x.lo);
  const long double b = f.exact(x.hi);
  const long double between = (static_cast<long double>(x.hi) - x.lo) / 2;
  const long double lo = std::max(std::min(a, b) - between, -1.0L);
  const long double hi = std::min(std::max(a, b) + between, 1.0L);
  return around(
      kind, lo, with_rounding(kind, f.absolute, lo), hi, with_rounding(kind, f.absolute, hi));
}

long double nearest_to_zero(const enclosure& e) {
  return e.lo <= 0 && e.hi >= 0 ? 0 : std::min(std::fabs(e.lo), std::fabs(e.hi));
}
long double farthest_from_zero(const enclosure& e) {
  return std::max(std::fabs(e.lo), std::fabs(e.hi));
}

/// [C17, F.10.4.3: of an infinity and a NaN it is an infinity]
enclosure hypotenuse(const math_function& f,
                     element kind,
                     const std::array<enclosure, 2>& sides,
                     const because& why) {
  const auto infinite = [](const enclosure& e) { return std::isinf(e.lo) && std::isinf(e.hi); };
  if (sides[0].is_nan() || sides[1].is_nan()) {
    return infinite(sides[0]) || infinite(sides[1]) ? point(HUGE_VAL)
           : std::isinf(farthest_from_zero(sides[0])) || std::isinf(farthest_from_zero(sides[1]))
               ? opened(why("an error decides whether the result is a NaN"))
               : some_nan();
  }
  const long double lo = std::hypot(nearest_to_zero(sides[0]), nearest_to_zero(sides[1]));
  const long double hi = std::hypot(farthest_from_zero(sides[0]), farthest_from_zero(sides[1]));
  enclosure result = around(kind, lo, off(f, kind, 0, lo), hi, off(f, kind, 0, hi));
  result.lo = std::max(result.lo, 0.0);
  return result;
}

} // namespace

enclosure enclose_function(const math_function& f,
                           element kind,
                           const std::array<enclosure, 2>& operands,
                           const because& why) {
  using rule = math_function::rule;
  const enclosure& x = operands[0];
  if (f.is == rule::operation || f.is == rule::unknown) {
    return opened(why("a mathematical function whose error is not known"));
  }
  if (x.open != 0) {
    return x;
  }
  switch (f.is) {
  case rule::monotone:
    return monotone(f, kind, x, why);
  case rule::wave:
    return wave(f, kind, x, why);
  default:
    return operands[1].open != 0 ? operands[1] : hypotenuse(f, kind, operands, why);
  }
}

} // namespace tilesim::sim::errors
