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

/// How far a result may be off: so many units in its last place, or so much and its rounding.
struct off {
  element kind{};
  double ulps = 0;
  double absolute = 0;

  long double operator()(long double y) const {
    return std::isinf(y)
               ? 0
               : absolute + ((ulps + of_rounding) * ops::unit_at(ops::format_of(kind), y));
  }
};

double ulps_of(const math_function& f, element kind) {
  return kind == element::f32 ? f.ulps_of_float : f.ulps_of_double;
}

bool lie_on_both_sides_of_zero(const enclosure& x) {
  return x.lo < 0 && x.hi > 0;
}

/// Where the function is defined at neither end, is it in between? All domains that end on both
/// sides hold 0.
enclosure undefined_at_ends(const enclosure& x, const because& why) {
  return lie_on_both_sides_of_zero(x) ? opened(why("an error decides whether the result is a NaN"))
                                      : some_nan();
}

/// The exact results at the ends, and as far off as the function may be.
enclosure monotone(const math_function& f, element kind, const enclosure& x, const because& why) {
  const long double a = f.exact(x.lo);
  const long double b = f.exact(x.hi);
  if (std::isnan(a) && std::isnan(b)) {
    return undefined_at_ends(x, why);
  }
  if (std::isnan(a) || std::isnan(b)) {
    return opened(why("an error decides whether the result is a NaN"));
  }
  off farthest{.kind = kind, .ulps = ulps_of(f, kind)};
  farthest.ulps += std::floor(f.ulps_per_unit * greatest_magnitude(x));
  if (f.absolute != 0 && x.lo <= f.to && x.hi >= f.from) {
    farthest.absolute = f.absolute;
    if (x.lo >= f.from && x.hi <= f.to) {
      farthest.ulps = 0; // so much instead
    }
  }
  return widened(kind, std::min(a, b), std::max(a, b), farthest);
}

/// It changes by no more than its operand does: everything between the ends is near one of them.
enclosure wave(const math_function& f, element kind, const enclosure& x, const because& why) {
  const long double a = f.exact(x.lo);
  const long double b = f.exact(x.hi);
  if (std::isnan(a) && std::isnan(b)) {
    return undefined_at_ends(x, why);
  }
  if (x.lo < f.from || x.hi > f.to) {
    return opened(why("a fast sine or cosine beyond pi: how far it is off is not documented"));
  }
  const long double between = (static_cast<long double>(x.hi) - x.lo) / 2;
  return widened(kind,
                 std::max(std::min(a, b) - between, -1.0L),
                 std::min(std::max(a, b) + between, 1.0L),
                 off{.kind = kind, .absolute = f.absolute});
}

/// [C17, F.10.4.3: of an infinity and a NaN it is an infinity]
enclosure hypotenuse(const math_function& f,
                     element kind,
                     const std::array<enclosure, 2>& sides,
                     const because& why) {
  const auto infinite = [](const enclosure& e) { return std::isinf(e.lo) && e.lo == e.hi; };
  if (sides[0].is_nan() || sides[1].is_nan()) {
    return infinite(sides[0]) || infinite(sides[1]) ? point(HUGE_VAL)
           : std::isinf(greatest_magnitude(sides[0])) || std::isinf(greatest_magnitude(sides[1]))
               ? opened(why("an error decides whether the result is a NaN"))
               : some_nan();
  }
  const long double lo =
      std::hypot<long double>(least_magnitude(sides[0]), least_magnitude(sides[1]));
  const long double hi =
      std::hypot<long double>(greatest_magnitude(sides[0]), greatest_magnitude(sides[1]));
  enclosure result = widened(kind, lo, hi, off{.kind = kind, .ulps = ulps_of(f, kind)});
  result.lo = std::max(result.lo, 0.0);
  return result;
}

/// Between the least and the greatest product of the ends, each rounded to nearest.
enclosure rounded_product(element kind, const enclosure& x, const enclosure& y) {
  const auto [lo, hi] = std::minmax({static_cast<long double>(x.lo) * y.lo,
                                     static_cast<long double>(x.lo) * y.hi,
                                     static_cast<long double>(x.hi) * y.lo,
                                     static_cast<long double>(x.hi) * y.hi});
  return {nearest_to(kind, lo), nearest_to(kind, hi), 0};
}

/// The sine times the reciprocal of the cosine.
enclosure tangent(const math_function& f, element kind, const enclosure& x, const because& why) {
  const enclosure s = wave(*f.parts[0], kind, x, why);
  const enclosure c = wave(*f.parts[1], kind, x, why);
  if (c.open != 0 || c.is_nan()) {
    return c;
  }
  if (holds_zero(c)) {
    return opened(why("a fast tangent near a pole: its cosine may be zero"));
  }
  const enclosure reciprocal =
      widened(kind, 1.0L / c.hi, 1.0L / c.lo, off{.kind = kind, .ulps = ulps_of(f, kind)});
  return rounded_product(kind, s, reciprocal);
}

/// 2 to the power of y times the logarithm of x: of a negative x a NaN, and of 0 to the power of 0.
enclosure power(const math_function& f,
                element kind,
                const std::array<enclosure, 2>& operands,
                const because& why) {
  const enclosure& y = operands[1];
  const enclosure log = monotone(*f.parts[0], kind, operands[0], why);
  if (log.open != 0) {
    return log;
  }
  if (log.is_nan() || y.is_nan()) {
    return some_nan();
  }
  const bool infinite = std::isinf(greatest_magnitude(log)) || std::isinf(greatest_magnitude(y));
  if (infinite && (holds_zero(log) || holds_zero(y))) { // an infinity times zero
    return log.is_point() && y.is_point()
               ? some_nan()
               : opened(why("an error decides whether the result is a NaN"));
  }
  const enclosure exponent = rounded_product(kind, log, y);
  if (exponent.is_point() && std::isinf(exponent.lo)) {
    return point(std::exp2(exponent.lo)); // zero or infinity, exactly
  }
  enclosure result = widened(kind,
                             std::exp2(static_cast<long double>(exponent.lo)),
                             std::exp2(static_cast<long double>(exponent.hi)),
                             off{.kind = kind, .ulps = ulps_of(f, kind)});
  if (result.lo < ops::least_normal(ops::format_of(kind))) {
    result.lo = 0; // it may be flushed
  }
  return result;
}

} // namespace

enclosure enclose_function(const math_function& f,
                           element kind,
                           const std::array<enclosure, 2>& operands,
                           const because& why) {
  using rule = math_function::rule;
  const enclosure& x = operands[0];
  if (x.open != 0 && f.is != rule::unknown) {
    return x;
  }
  switch (f.is) {
  case rule::monotone:
    return monotone(f, kind, x, why);
  case rule::wave:
    return wave(f, kind, x, why);
  case rule::hypotenuse:
    return operands[1].open != 0 ? operands[1] : hypotenuse(f, kind, operands, why);
  case rule::tangent:
    return tangent(f, kind, x, why);
  case rule::power:
    return operands[1].open != 0 ? operands[1] : power(f, kind, operands, why);
  case rule::operation:
  case rule::unknown:
    break;
  }
  return opened(why("a mathematical function whose error is not known"));
}

} // namespace tilesim::sim::errors
