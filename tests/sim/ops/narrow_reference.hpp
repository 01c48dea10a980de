// An independent account of half, bfloat16 and the other narrow formats, fast enough for 2^32
// pairs.
//
// Nothing here comes from sim/. A cell's value is a double, by ldexp. Each operation gives a double
// that is the exact result, or lies on the same side of every number where the rounding may change;
// one integer routine rounds that. Why it may be trusted:
//   product    exact in double: 11 significant bits by 11
//   sum        exact in double, where one operand is less than 2^30 times the other; beyond, a
//              summand only says on which side of the other the sum lies, and any so small says it
//   fma        the sum of an exact product (22 bits) and a cell (11 bits), likewise
//   quotient   an integer quotient of 29 bits or more, whose last bit is set if there is a
//   remainder remainder  of integers, exact
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tilesim::test {

using machine::rounding;

inline double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
}

/// A format of 1 + ExponentBits + FractionBits bits. One without infinity (e4m3) has one NaN; one
/// that saturates makes of too large a value its largest finite one.
template <int ExponentBits, int FractionBits, bool HasInfinity = true, bool Saturates = false>
struct narrow_format {
  static constexpr int fraction_bits = FractionBits;
  static constexpr int exponent_bits = ExponentBits;
  static constexpr int least_exponent = 2 - (1 << (ExponentBits - 1)); ///< of normal numbers
  static constexpr bool saturates = Saturates;
  static constexpr std::uint64_t sign = std::uint64_t{1} << (ExponentBits + FractionBits);
  static constexpr std::uint64_t all_ones = sign - 1; ///< below the sign: the NaN that results have
  static constexpr std::uint64_t infinity =
      HasInfinity ? ((std::uint64_t{1} << ExponentBits) - 1) << FractionBits : all_ones;

  static constexpr bool is_nan(std::uint64_t bits) {
    return HasInfinity ? (bits & all_ones) > infinity : (bits & all_ones) == all_ones;
  }

  static double decode(std::uint64_t bits) {
    const double side = (bits & sign) != 0 ? -1.0 : 1.0;
    const std::uint64_t magnitude = bits & all_ones;
    if (is_nan(bits)) {
      return std::numeric_limits<double>::quiet_NaN();
    }
    if (HasInfinity && magnitude == infinity) {
      return side * std::numeric_limits<double>::infinity();
    }
    const auto fraction = static_cast<double>(magnitude & ((std::uint64_t{1} << FractionBits) - 1));
    const auto exponent = static_cast<int>(magnitude >> FractionBits);
    return exponent == 0 ? side * std::ldexp(fraction, least_exponent - FractionBits)
                         : side * std::ldexp(fraction + std::ldexp(1.0, FractionBits),
                                             exponent - 1 + least_exponent - FractionBits);
  }

  /// x, which is not a subnormal double, rounded.
  static std::uint64_t round(double x, rounding mode) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const bool negative = (bits >> 63) != 0;
    const std::uint64_t side = negative ? sign : 0;
    const auto biased = static_cast<int>((bits >> 52) & 0x7ff);
    if (biased == 0x7ff) {
      return std::isnan(x) ? all_ones : side | (Saturates ? infinity - 1 : infinity);
    }
    if (biased == 0) {
      return side; // a zero
    }
    const int exponent = biased - 1023;
    const std::uint64_t significand =
        (bits & ((std::uint64_t{1} << 52) - 1)) | (std::uint64_t{1} << 52);
    // In units of the result's last place: `kept` whole ones and a rest.
    const int scale = exponent > least_exponent ? exponent : least_exponent;
    const int wanted = 52 - FractionBits + (scale - exponent);
    const int cut = wanted < 55 ? wanted : 55; // 54 bits down, everything is less than a half
    const std::uint64_t kept = significand >> cut;
    const std::uint64_t rest = significand & ((std::uint64_t{1} << cut) - 1);
    const std::uint64_t half = std::uint64_t{1} << (cut - 1);
    const bool up = mode == rounding::nearest_even
                        ? rest > half || (rest == half && (kept & 1) != 0)
                    : mode == rounding::nearest_away ? rest >= half
                    : mode == rounding::negative_inf ? rest != 0 && negative
                    : mode == rounding::positive_inf ? rest != 0 && !negative
                                                     : false;
    // A normal number's leading one adds itself to the exponent field, and so does a carry.
    const std::uint64_t magnitude =
        (static_cast<std::uint64_t>(scale - least_exponent) << FractionBits) + kept + (up ? 1 : 0);
    if (magnitude < infinity) {
      return side | magnitude;
    }
    const bool stays_finite = Saturates || mode == rounding::zero ||
                              (mode == rounding::negative_inf && !negative) ||
                              (mode == rounding::positive_inf && negative);
    return side | (stays_finite ? infinity - 1 : infinity);
  }
};

using half_reference = narrow_format<5, 10>;
using bfloat16_reference = narrow_format<8, 7>;
using tf32_reference = narrow_format<8, 10>; // without the 13 unused bits
using float_reference = narrow_format<8, 23>;
using e4m3_reference = narrow_format<4, 3, false, true>;
using e5m2_reference = narrow_format<5, 2, true, true>;

/// Operations on a 16-bit format.
template <class Format>
class narrow_arithmetic {
public:
  using cell = std::uint16_t;

  static cell add(cell a, cell b, rounding mode) { return rounded_sum(value(a), value(b), mode); }
  static cell sub(cell a, cell b, rounding mode) { return rounded_sum(value(a), -value(b), mode); }
  static cell mul(cell a, cell b, rounding mode) { return rounded(value(a) * value(b), mode); }
  static cell fma(cell a, cell b, cell c, rounding mode) {
    return rounded_sum(value(a) * value(b), value(c), mode);
  }

  static cell div(cell a, cell b, rounding mode) {
    const parts& x = table[a];
    const parts& y = table[b];
    if (x.significand == 0 || y.significand == 0) {
      return rounded(x.value / y.value, mode); // zeros, infinities and NaN: nothing to round
    }
    const std::uint64_t dividend = x.significand << 40;
    const std::uint64_t quotient =
        (dividend / y.significand) | (dividend % y.significand != 0 ? 1 : 0);
    const double magnitude =
        static_cast<double>(quotient) * power_of_two(x.exponent - y.exponent - 40);
    return rounded(((a ^ b) & Format::sign) != 0 ? -magnitude : magnitude, mode);
  }

  static cell rem(cell a, cell b, rounding) {
    const parts& x = table[a];
    const parts& y = table[b];
    if (Format::is_nan(a) || Format::is_nan(b) || std::isinf(x.value) || y.value == 0) {
      return static_cast<cell>(Format::all_ones);
    }
    // A larger last place than the divisor's: then the dividend is the smaller one.
    if (x.significand == 0 || y.significand == 0 || x.exponent < y.exponent) {
      return a;
    }
    std::uint64_t rest = x.significand % y.significand;
    for (int places = x.exponent - y.exponent; places > 0; places -= 48) {
      rest = (rest << (places < 48 ? places : 48)) % y.significand;
    }
    const double magnitude = static_cast<double>(rest) * power_of_two(y.exponent);
    return rounded((a & Format::sign) != 0 ? -magnitude : magnitude, rounding::nearest_even);
  }

  template <bool PropagateNan>
  static cell max(cell a, cell b, rounding) {
    return extreme<PropagateNan>(a, b, order(a) > order(b));
  }
  template <bool PropagateNan>
  static cell min(cell a, cell b, rounding) {
    return extreme<PropagateNan>(a, b, order(a) < order(b));
  }

  static double value(cell bits) { return table[bits].value; }

private:
  /// A finite number but zero is ±significand * 2^exponent; the significand of the others is 0.
  struct parts {
    double value;
    std::uint64_t significand;
    int exponent;
  };

  static std::array<parts, 65536> decoded() {
    std::array<parts, 65536> all{};
    for (unsigned i = 0; i < 65536; ++i) {
      const double v = Format::decode(i);
      const auto field = static_cast<int>((i & Format::all_ones) >> Format::fraction_bits);
      const int exponent =
          (field == 0 ? 1 : field) - 1 + Format::least_exponent - Format::fraction_bits;
      all[i] = {v,
                std::isfinite(v) ? static_cast<std::uint64_t>(std::ldexp(std::fabs(v), -exponent))
                                 : 0,
                exponent};
    }
    return all;
  }
  inline static const std::array<parts, 65536> table = decoded();

  static cell rounded(double x, rounding mode) { return static_cast<cell>(Format::round(x, mode)); }

  static cell rounded_sum(double x, double y, rounding mode) {
    const double larger = std::fabs(x) > std::fabs(y) ? x : y;
    double smaller = std::fabs(x) > std::fabs(y) ? y : x;
    if (std::isfinite(larger) && smaller != 0 && std::fabs(smaller) < std::fabs(larger) * 0x1p-30) {
      smaller = std::copysign(larger * 0x1p-30, smaller);
    }
    const double sum = larger + smaller;
    // An exact zero is +0, downward -0; but two zeros of one sign keep it.  [IEEE 754-2019, 6.3]
    if (sum == 0 && std::signbit(x) != std::signbit(y)) {
      return static_cast<cell>(mode == rounding::negative_inf ? Format::sign : 0);
    }
    return rounded(sum, mode);
  }

  /// -0 is below +0.
  static int order(cell a) {
    const int magnitude = static_cast<int>(a & Format::all_ones);
    return (a & Format::sign) != 0 ? -1 - magnitude : magnitude;
  }
  template <bool PropagateNan>
  static cell extreme(cell a, cell b, bool first) {
    const bool nan_a = Format::is_nan(a);
    const bool nan_b = Format::is_nan(b);
    if ((nan_a && nan_b) || (PropagateNan && (nan_a || nan_b))) {
      return static_cast<cell>(Format::all_ones);
    }
    return nan_a ? b : nan_b ? a : first ? a : b;
  }
};

} // namespace tilesim::test
