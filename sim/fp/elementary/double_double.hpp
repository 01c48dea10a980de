// Numbers of about 106 bits: the sum of two doubles, the second below half a unit of the first.
//
// The error-free sums and products are Knuth's and Dekker's, without fma, so that every machine
// computes the same bits; names and bounds after Joldes, Muller and Popescu, "Tight and rigorous
// error bounds for basic building blocks of double-word arithmetic". Needs -ffp-contract=off and
// rounding to nearest. Magnitudes stay below 2^990; parts that underflow are lost, which callers
// allow for.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/fp/rounding.hpp"

namespace tilesim::sim::fp::elementary {

struct dd {
  double hi, lo;
};

/// a + b exactly, |a| >= |b| or a = 0.
[[gnu::always_inline]] inline dd quick_sum(double a, double b) noexcept {
  const double s = a + b;
  return {s, b - (s - a)};
}

/// a + b exactly.
[[gnu::always_inline]] inline dd exact_sum(double a, double b) noexcept {
  const double s = a + b;
  const double t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}

/// a * b exactly.
[[gnu::always_inline]] inline dd exact_product(double a, double b) noexcept {
  constexpr double splitter = 0x1p27 + 1;
  const double ca = splitter * a;
  const double cb = splitter * b;
  const double a1 = ca - (ca - a);
  const double b1 = cb - (cb - b);
  const double a2 = a - a1;
  const double b2 = b - b1;
  const double p = a * b;
  return {p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2};
}

[[gnu::always_inline]] inline dd operator-(dd a) noexcept {
  return {-a.hi, -a.lo};
}
/// Relative error below 2^-105.
[[gnu::always_inline]] inline dd operator+(dd a, double b) noexcept {
  const dd s = exact_sum(a.hi, b);
  return quick_sum(s.hi, s.lo + a.lo);
}
/// Relative error below 3 * 2^-106.
[[gnu::always_inline]] inline dd operator+(dd a, dd b) noexcept {
  const dd s = exact_sum(a.hi, b.hi);
  const dd t = exact_sum(a.lo, b.lo);
  const dd v = quick_sum(s.hi, s.lo + t.hi);
  return quick_sum(v.hi, v.lo + t.lo);
}
[[gnu::always_inline]] inline dd operator-(dd a, dd b) noexcept {
  return a + -b;
}
/// Relative error below 2^-104.
[[gnu::always_inline]] inline dd operator*(dd a, double b) noexcept {
  const dd p = exact_product(a.hi, b);
  return quick_sum(p.hi, p.lo + a.lo * b);
}
/// Relative error below 2^-102.
[[gnu::always_inline]] inline dd operator*(dd a, dd b) noexcept {
  const dd p = exact_product(a.hi, b.hi);
  return quick_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}
/// Relative error below 2^-102.
[[gnu::always_inline]] inline dd operator/(dd a, dd b) noexcept {
  const double q = a.hi / b.hi;
  const dd rest = a - b * q;
  return quick_sum(q, rest.hi / b.hi);
}

} // namespace tilesim::sim::fp::elementary
