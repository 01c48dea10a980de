// The elementary functions to about 100 bits, by double-double arithmetic.
//
// One call costs some hundred operations. What is rounded from here to float, half or bfloat16 is
// correctly rounded (proven by trying all floats), to double within 0.5001 units in the last place;
// powers that are exact come out exact, so that ties are ties. Special values are those of C's
// Annex F; the NaN of an invalid operation has no payload.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/fp/elementary/double_double.hpp"
#include "sim/fp/rounding.hpp"

namespace tilesim::sim::fp::elementary {

/// value * 2^exponent. An infinity, a NaN or a zero stands in value.hi alone.
struct extended {
  dd value{};
  int exponent = 0;
};

extended accurate_exp(double x) noexcept;
extended accurate_exp2(double x) noexcept;
extended accurate_log(double x) noexcept;
extended accurate_log2(double x) noexcept;
extended accurate_rsqrt(double x) noexcept;
extended accurate_pow(double x, double y) noexcept;
extended accurate_sin(double x) noexcept;
extended accurate_cos(double x) noexcept;
extended accurate_tan(double x) noexcept;
extended accurate_atan2(double y, double x) noexcept;
extended accurate_sinh(double x) noexcept;
extended accurate_cosh(double x) noexcept;
extended accurate_tanh(double x) noexcept;

/// Rounded to nearest, once.
double round_to_double(const extended& x) noexcept;

/// For narrower formats: rounded to odd, so that the next rounding is the only one. Values far
/// outside float's range come out as other values far outside.
double round_to_odd(const extended& x) noexcept;

} // namespace tilesim::sim::fp::elementary
