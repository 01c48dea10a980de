// Enclosures: between which numbers an element lies in every execution that is allowed.
//
// Both ends are numbers of the element's format, so an element that has one right result is a
// point. The rules that make enclosures of enclosures stand in docs/diff.md and, one by one, in
// elementwise_rules, combine_rules.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/ops/rng.hpp"

#include <tilesim/detail/machine.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace tilesim::sim::errors {

/// Why nothing can be said of an element: a number that error_analysis keeps; 0: something can.
using reason = std::uint32_t;

/// Makes a reason of the operation under way.
using because = std::function<reason(const char* why)>;

/// Of an element that is no floating-point number the ends mean nothing: it is exact or open.
struct enclosure {
  double lo = 0;
  double hi = 0;
  reason open = 0; ///< a decision that an error may turn has come before: nothing is known

  [[nodiscard]] bool is_point() const noexcept {
    return open == 0 && std::bit_cast<std::uint64_t>(lo) == std::bit_cast<std::uint64_t>(hi);
  }
  [[nodiscard]] bool is_nan() const noexcept { return open == 0 && std::isnan(lo); }
  /// One number, or a NaN whichever it be.
  [[nodiscard]] bool is_certain() const noexcept { return is_point() || is_nan(); }
  /// Makes it hold another one, too.
  void include(const enclosure& other) noexcept;
  void include(double x) noexcept { include({x, x, 0}); }
};

/// Of one that is neither open nor a NaN.
[[nodiscard]] inline bool holds_zero(const enclosure& e) noexcept {
  return e.lo <= 0 && e.hi >= 0;
}
/// How far from zero its numbers lie at least, and at most.
[[nodiscard]] inline double least_magnitude(const enclosure& e) noexcept {
  return holds_zero(e) ? 0 : std::min(std::fabs(e.lo), std::fabs(e.hi));
}
[[nodiscard]] inline double greatest_magnitude(const enclosure& e) noexcept {
  return std::max(std::fabs(e.lo), std::fabs(e.hi));
}

[[nodiscard]] inline enclosure point(double x) noexcept {
  return {x, x, 0};
}
[[nodiscard]] inline enclosure opened(reason why) noexcept {
  return {0, 0, why};
}

/// A NaN: which of them an operation gives is left open. Its ends have other bits, so it is no
/// point.
[[nodiscard]] inline enclosure some_nan() noexcept {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  return {nan, -nan, 0};
}

/// The unrounded product that a compiler may add in one rounding with what is added to it.
struct product {
  long double lo = 0;
  long double hi = 0;
};

/// What is known of a tile whose elements are not all points.
struct enclosed_tile {
  element kind = {};
  std::vector<enclosure> cells;
  std::vector<product> products; ///< of a product that may be contracted; else empty

  [[nodiscard]] bool is_exact() const noexcept;
  [[nodiscard]] bool empty() const noexcept { return cells.empty(); }
};

/// The number in a cell of a floating-point kind.
[[nodiscard]] double number_at(element kind, const void* cell) noexcept;
/// Writes one that the format has.
void put_number(element kind, double x, void* cell) noexcept;

/// An operand with what is known of it: nullptr, all its elements are points.
struct known_operand {
  const machine::in* tile = nullptr;
  const enclosed_tile* known = nullptr;

  /// Element i of a result's, for an operand of one element stands for all.
  [[nodiscard]] enclosure at(std::size_t i) const noexcept;
};

/// The enclosures of a tile of points.
[[nodiscard]] enclosed_tile points_of(const machine::in& tile);
/// What is known of a result of arithmetic, each NaN in it made some NaN.
[[nodiscard]] enclosed_tile with_open_nans(enclosed_tile known, const machine::in& tile);

/// The least number of f16, bf16, f32 or f64 that is not below x; the greatest that is not above;
/// one nearest to it, the even one of two. What lies beyond the greatest number is infinity from
/// 2^end on (outward), or from halfway (nearest).
[[nodiscard]] double up_to(element kind, long double x) noexcept;
[[nodiscard]] double down_to(element kind, long double x) noexcept;
[[nodiscard]] double nearest_to(element kind, long double x) noexcept;

/// A number of the enclosure, and another one than x unless there is none.
[[nodiscard]] double another(element kind, double x, const enclosure& e, rng& random) noexcept;

/// How far down results between lo and hi may come, each of which may be off by off(y), in units of
/// its last place: these double at a power of two, so that the least may be just behind one.
template <class Off>
[[nodiscard]] long double lower_end(long double lo, long double hi, const Off& off) {
  long double least = lo - off(lo);
  if (lo > 0 && std::isfinite(lo)) {
    const long double next_power = std::ldexp(1.0L, std::ilogb(lo) + 1);
    if (next_power <= hi) {
      least = std::min(least, next_power - off(next_power));
    }
  }
  return least;
}

/// All that results between lo and hi may be. Of an infinity, off(y) is 0.
template <class Off>
[[nodiscard]] enclosure widened(element kind, long double lo, long double hi, const Off& off) {
  const auto mirrored = [&off](long double y) { return off(-y); };
  return {up_to(kind, lower_end(lo, hi, off)), down_to(kind, -lower_end(-hi, -lo, mirrored)), 0};
}

} // namespace tilesim::sim::errors
