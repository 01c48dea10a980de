// Floating-point encodings, bit by bit: half, bfloat16, tf32, e4m3, e5m2, float and double.
//
// One generic decoder and one generic encoder that rounds once, in every mode. The scalar types of
// cuda_fp16.h and its siblings use them, and sim/fp holds its faster routines against them.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace tilesim::detail {

/// Where a value that the format cannot hold goes. The first four are IEEE 754's and have the
/// values of machine::rounding.
enum class direction : ::std::uint8_t {
  nearest_even,
  zero,
  negative_inf,
  positive_inf,
  nearest_away
};

/// What becomes of a value beyond the largest finite one.
enum class beyond : ::std::uint8_t {
  infinity, ///< IEEE 754: infinity, or the largest finite value where the direction says so
  largest,  ///< saturate, infinities too (conversions to fp8)
};

/// A binary format in a cell of `Bits`: sign, exponent, fraction, `unused_bits` low zeros (tf32
/// only).
template <class Bits,
          unsigned ExponentBits,
          unsigned FractionBits,
          bool HasInfinity,
          unsigned Unused = 0>
struct float_format {
  using bits = Bits;
  static constexpr unsigned exponent_bits = ExponentBits;
  static constexpr unsigned fraction_bits = FractionBits;
  static constexpr unsigned unused_bits = Unused;
  static constexpr bool has_infinity = HasInfinity;
  static constexpr int bias = (1 << (ExponentBits - 1)) - 1;

  static constexpr Bits sign_bit =
      static_cast<Bits>(::std::uint64_t{1} << (ExponentBits + FractionBits + Unused));
  /// All ones below the sign: what conversions and operations give for a NaN (7fff, 7fffffff, 7f).
  static constexpr Bits nan = static_cast<Bits>(sign_bit - 1);
  /// Exponent all ones, fraction zero. In e4m3 an ordinary number.
  static constexpr Bits infinity =
      static_cast<Bits>(((::std::uint64_t{1} << ExponentBits) - 1) << (FractionBits + Unused));
  static constexpr Bits largest = HasInfinity
                                      ? static_cast<Bits>(infinity - (::std::uint64_t{1} << Unused))
                                      : static_cast<Bits>(nan - 1);
};

using half_format = float_format<::std::uint16_t, 5, 10, true>;
using bfloat16_format = float_format<::std::uint16_t, 8, 7, true>;
using tf32_format = float_format<::std::uint32_t, 8, 10, true, 13>;
using e4m3_format = float_format<::std::uint8_t, 4, 3, false>;
using e5m2_format = float_format<::std::uint8_t, 5, 2, true>;
using float32_format = float_format<::std::uint32_t, 8, 23, true>;
using float64_format = float_format<::std::uint64_t, 11, 52, true>;

/// A number taken apart: (-1)^negative * significand * 2^exponent.
struct unpacked {
  enum class kind : ::std::uint8_t { finite, infinity, nan } what;
  bool negative;
  int exponent;
  ::std::uint64_t significand; ///< 0 for a zero
};

template <class Format>
constexpr unpacked unpack(typename Format::bits cell) noexcept {
  constexpr ::std::uint64_t fraction_mask = (::std::uint64_t{1} << Format::fraction_bits) - 1;
  constexpr int top_exponent = (1 << Format::exponent_bits) - 1;
  const bool negative = (cell & Format::sign_bit) != 0;
  const ::std::uint64_t magnitude =
      static_cast<::std::uint64_t>(cell & Format::nan) >> Format::unused_bits;
  const int exponent = static_cast<int>(magnitude >> Format::fraction_bits);
  const ::std::uint64_t fraction = magnitude & fraction_mask;
  if (Format::has_infinity && exponent == top_exponent) {
    const bool is_nan = (cell & Format::nan) > Format::infinity;
    return {is_nan ? unpacked::kind::nan : unpacked::kind::infinity, negative, 0, 0};
  }
  if (!Format::has_infinity && (cell & Format::nan) == Format::nan) {
    return {unpacked::kind::nan, negative, 0, 0};
  }
  constexpr int scale = Format::bias + static_cast<int>(Format::fraction_bits);
  if (exponent == 0) {
    return {unpacked::kind::finite, negative, 1 - scale, fraction};
  }
  return {unpacked::kind::finite, negative, exponent - scale, fraction | (fraction_mask + 1)};
}

/// Whether to add one unit to a truncated magnitude. `rest` holds what was cut off, as a fraction
/// of that unit scaled by 2^64; half a unit is 2^63.
constexpr bool rounds_up(direction mode, bool negative, bool odd, ::std::uint64_t rest) noexcept {
  constexpr ::std::uint64_t half = ::std::uint64_t{1} << 63;
  switch (mode) {
  case direction::nearest_even:
    return rest > half || (rest == half && odd);
  case direction::nearest_away:
    return rest >= half;
  case direction::zero:
    return false;
  case direction::negative_inf:
    return rest != 0 && negative;
  case direction::positive_inf:
    return rest != 0 && !negative;
  }
  return false;
}

/// What a magnitude beyond the largest finite one becomes.
template <class Format>
constexpr typename Format::bits overflowed(bool negative, direction mode, beyond rule) noexcept {
  const bool stays_finite = mode == direction::zero ||
                            (mode == direction::negative_inf && !negative) ||
                            (mode == direction::positive_inf && negative);
  if (rule == beyond::largest || stays_finite) {
    return Format::largest;
  }
  return Format::has_infinity ? Format::infinity : Format::nan;
}

/// The encoding of (-1)^negative * significand * 2^exponent, rounded once.
template <class Format>
constexpr typename Format::bits pack(bool negative,
                                     ::std::uint64_t significand,
                                     int exponent,
                                     direction mode = direction::nearest_even,
                                     beyond rule = beyond::infinity) noexcept {
  using bits = typename Format::bits;
  const bits sign = negative ? Format::sign_bit : bits{0};
  if (significand == 0) {
    return sign;
  }
  const int zeros = ::std::countl_zero(significand);
  significand <<= zeros;
  const int scale = exponent - zeros + 63; // the number is 1.xxx * 2^scale
  if (scale > Format::bias + 1) {
    return static_cast<bits>(sign | overflowed<Format>(negative, mode, rule));
  }
  constexpr int lowest = 1 - Format::bias;
  const int below = scale < lowest ? lowest - scale : 0; // places lost to a subnormal
  const int cut = 63 - static_cast<int>(Format::fraction_bits) + below;
  const ::std::uint64_t kept = cut < 64 ? significand >> cut : 0;
  const ::std::uint64_t rest = cut < 64 ? significand << (64 - cut) : cut == 64 ? significand : 1;
  // The leading one of `kept`, if it has one, adds itself to the exponent field; so does a carry.
  const auto field = static_cast<::std::uint64_t>(below != 0 ? 0 : scale - lowest);
  const ::std::uint64_t rounded = (field << Format::fraction_bits) + kept +
                                (rounds_up(mode, negative, (kept & 1) != 0, rest) ? 1U : 0U);
  if (rounded > (::std::uint64_t{Format::largest} >> Format::unused_bits)) {
    return static_cast<bits>(sign | overflowed<Format>(negative, mode, rule));
  }
  return static_cast<bits>(sign | static_cast<bits>(rounded << Format::unused_bits));
}

/// One format to another, rounded once. Every NaN becomes the target's `nan`.
template <class To, class From>
constexpr typename To::bits convert_format(typename From::bits cell,
                                           direction mode = direction::nearest_even,
                                           beyond rule = beyond::infinity) noexcept {
  using bits = typename To::bits;
  const unpacked x = unpack<From>(cell);
  if (x.what == unpacked::kind::nan) {
    return To::nan;
  }
  if (x.what == unpacked::kind::infinity) {
    const bits infinite = rule == beyond::largest ? To::largest
                          : To::has_infinity      ? To::infinity
                                                  : To::nan;
    return static_cast<bits>((x.negative ? To::sign_bit : bits{0}) | infinite);
  }
  return pack<To>(x.negative, x.significand, x.exponent, mode, rule);
}

template <class To>
constexpr typename To::bits encode(float value,
                                   direction mode = direction::nearest_even,
                                   beyond rule = beyond::infinity) noexcept {
  return convert_format<To, float32_format>(::std::bit_cast<::std::uint32_t>(value), mode, rule);
}

template <class To>
constexpr typename To::bits encode(double value,
                                   direction mode = direction::nearest_even,
                                   beyond rule = beyond::infinity) noexcept {
  return convert_format<To, float64_format>(::std::bit_cast<::std::uint64_t>(value), mode, rule);
}

template <class To, class Integer>
requires ::std::is_integral_v<Integer>
constexpr typename To::bits encode(Integer value,
                                   direction mode = direction::nearest_even,
                                   beyond rule = beyond::infinity) noexcept {
  const bool negative = value < Integer{0};
  const auto magnitude = static_cast<::std::uint64_t>(value);
  return pack<To>(negative, negative ? ::std::uint64_t{0} - magnitude : magnitude, 0, mode, rule);
}

/// The value as a float: exact for every format but double. A bfloat16 is a float's upper half,
/// NaNs with their payload included.
template <class From>
constexpr float to_float(typename From::bits cell) noexcept {
  if constexpr (::std::is_same_v<From, bfloat16_format>) {
    return ::std::bit_cast<float>(::std::uint32_t{cell} << 16);
  }
  return ::std::bit_cast<float>(convert_format<float32_format, From>(cell));
}

template <class From>
constexpr double to_double(typename From::bits cell) noexcept {
  const unpacked x = unpack<From>(cell);
  if (x.what == unpacked::kind::nan) {
    return ::std::bit_cast<double>(float64_format::nan);
  }
  return ::std::bit_cast<double>(convert_format<float64_format, From>(cell));
}

/// a + b in double, rounded to odd: an inexact sum takes the neighbour whose last bit is 1, so that
/// rounding it again to 51 bits or fewer, in any direction, is the same as rounding the exact sum
/// once. (Boldo and Melquiond, "When double rounding is odd".) For operands that came from narrower
/// formats or 64-bit integers, which cannot overflow. The hardware must round to nearest.
[[gnu::always_inline]] constexpr double add_to_odd(double a, double b) noexcept {
  const double sum = a + b;
  const double b_part = sum - a; // Knuth's two-sum: sum + error == a + b exactly
  const double error = (a - (sum - b_part)) + (b - b_part);
  const auto bits = ::std::bit_cast<::std::uint64_t>(sum);
  const bool inexact = error != 0 && sum - sum == 0; // an infinite sum has a NaN error
  const bool farther = (error > 0) == (sum > 0);     // the exact sum lies beyond `sum`, away from 0
  const ::std::uint64_t odd = farther ? bits | 1U : bits - (~bits & 1U);
  return ::std::bit_cast<double>(inexact ? odd : bits);
}

/// Truncation toward zero or rounding to an integer, saturating; NaN gives 0 unless `nan_value`
/// says otherwise. What the cuda headers' conversions to integers do on the host.
template <class Integer>
constexpr Integer
to_integer(double value, direction mode = direction::zero, Integer nan_value = 0) noexcept {
  const unpacked x = unpack<float64_format>(::std::bit_cast<::std::uint64_t>(value));
  constexpr auto highest = static_cast<Integer>(
      ~::std::uint64_t{0} >> (65 - 8 * sizeof(Integer) - !::std::is_signed_v<Integer>));
  constexpr auto lowest =
      ::std::is_signed_v<Integer> ? static_cast<Integer>(-highest - 1) : Integer{0};
  if (x.what == unpacked::kind::nan) {
    return nan_value;
  }
  if (x.what == unpacked::kind::infinity || (x.significand != 0 && x.exponent > 11)) {
    return x.negative ? lowest : highest;
  }
  ::std::uint64_t whole = x.significand;
  if (x.exponent >= 0) {
    whole <<= x.exponent;
  } else {
    const int cut = -x.exponent;
    const ::std::uint64_t rest =
        cut < 64 ? whole << (64 - cut) : static_cast<::std::uint64_t>(whole != 0);
    whole = cut < 64 ? whole >> cut : 0;
    whole += rounds_up(mode, x.negative, (whole & 1) != 0, rest) ? 1U : 0U;
  }
  const auto limit = static_cast<::std::uint64_t>(highest);
  if (x.negative) {
    if (!::std::is_signed_v<Integer>) {
      return 0;
    }
    return whole > limit ? lowest : static_cast<Integer>(::std::uint64_t{0} - whole);
  }
  return whole > limit ? highest : static_cast<Integer>(whole);
}

/// The same for a cell, with what CUDA's conversions give for a NaN: 0, in 64 bits the sign bit
/// alone.
template <class From, class Integer>
constexpr Integer half_to_integer(typename From::bits cell,
                                  direction mode = direction::zero) noexcept {
  constexpr auto of_nan =
      static_cast<Integer>(sizeof(Integer) == 8 ? ::std::uint64_t{1} << 63 : ::std::uint64_t{0});
  return to_integer<Integer>(to_double<From>(cell), mode, of_nan);
}

} // namespace tilesim::detail
