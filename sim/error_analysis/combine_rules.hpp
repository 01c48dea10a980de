// What reductions, scans, products of matrices and atomic additions make of enclosures: sums of
// which nobody says in which order they are added up.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/value_follower.hpp"
#include "sim/error_analysis/enclosure.hpp"

#include <tilesim/detail/machine.hpp>

#include <cstddef>
#include <span>

namespace tilesim::sim::errors {

/// Summands, whose sum in any order is asked for.
class open_sum {
public:
  void add(const enclosure& e) noexcept;
  /// Of two points, the product; which counts in full, rounded or not.
  void add_product(const enclosure& a, const enclosure& b) noexcept;

  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] long double magnitude() const noexcept { return magnitude_; }

  /// How a sum is rounded.
  struct rounding_errors {
    double relative = 0;       ///< of the whole, times the sum of the magnitudes
    long double absolute = 0;  ///< of underflow
    int kept_bits = 0;         ///< a sum that needs no more bits than these is exact in every order
    bool one_rounding = false; ///< two summands are added up in one rounding
  };
  /// Where the sum lies. `nominal`: the one that was computed.
  [[nodiscard]] enclosure
  enclosed(element kind, const rounding_errors& errors, double nominal, const because& why) const;

private:
  void note(long double lo, long double hi, int lowest) noexcept;

  long double lo_ = 0;
  long double hi_ = 0;
  long double magnitude_ = 0;
  std::size_t count_ = 0;
  int lowest_ = 1 << 20; ///< all summands are multiples of 2^lowest
  bool points_ = true;
  bool nan_ = false;
  bool above_ = false; ///< a summand is infinite
  bool below_ = false;
  reason open_ = 0;
};

/// The exponent of the lowest bit that is set: of zero, a large number.
[[nodiscard]] int lowest_bit(double x) noexcept;

/// Of a reduction or scan, which has been performed. A tile without cells: all elements are points.
[[nodiscard]] enclosed_tile enclose_combination(const computation& how,
                                                const machine::out& result,
                                                const known_operand& operand,
                                                const because& why);

/// Of a product of matrices: lhs, rhs, acc.
[[nodiscard]] enclosed_tile enclose_matrix(const computation& how,
                                           const machine::out& result,
                                           std::span<const known_operand> operands,
                                           const because& why);

} // namespace tilesim::sim::errors
