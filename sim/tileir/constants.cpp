// The elements of a constant. [Tile IR bytecode, constants]
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/tileir/constants.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace tilesim::tileir {
namespace {

/// Bytes that an element takes in the file.
unsigned width_of(number n) {
  constexpr unsigned tf32_bytes = 3;
  return n == number::tf32 ? tf32_bytes : (bits(n) + 7) / 8;
}

struct format {
  unsigned fraction;
  unsigned exponent;
  bool has_sign;
  enum class special : std::uint8_t { ieee, all_ones_nan, none } specials;
};

format format_of(number n) {
  using enum format::special;
  switch (n) {
  case number::f16:
    return {10, 5, true, ieee};
  case number::bf16:
    return {7, 8, true, ieee};
  case number::tf32:
    return {10, 8, true, ieee};
  case number::f8e4m3fn:
    return {3, 4, true, all_ones_nan};
  case number::f8e5m2:
    return {2, 5, true, ieee};
  case number::f4e2m1fn:
    return {1, 2, true, none};
  case number::fnv8e5m3fnu:
    return {3, 5, false, all_ones_nan};
  default:
    return {23, 8, true, ieee};
  }
}

double small_to_double(format f, std::uint64_t bits) {
  const std::uint64_t fraction = bits & ((1ULL << f.fraction) - 1);
  const std::uint64_t top = (1ULL << f.exponent) - 1;
  const std::uint64_t exponent = bits >> f.fraction & top;
  const bool negative = f.has_sign && (bits >> (f.fraction + f.exponent) & 1U) != 0;
  const int bias = (1 << (f.exponent - 1)) - 1;
  double magnitude = 0;
  if (exponent == top && f.specials == format::special::ieee) {
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity()
                              : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == top && f.specials == format::special::all_ones_nan &&
             fraction == (1ULL << f.fraction) - 1) {
    magnitude = std::numeric_limits<double>::quiet_NaN();
  } else {
    const bool subnormal = exponent == 0;
    const auto significand =
        static_cast<double>(subnormal ? fraction : fraction | 1ULL << f.fraction);
    const int power =
        (subnormal ? 1 : static_cast<int>(exponent)) - bias - static_cast<int>(f.fraction);
    magnitude = std::ldexp(significand, power);
  }
  return negative ? -magnitude : magnitude;
}

} // namespace

elements::elements(std::span<const std::uint8_t> bytes, number of, std::size_t count) noexcept
    : bytes_(bytes)
    , of_(of)
    , width_(width_of(of)) {
  if (of == number::i1) {
    splat_ = count == 1 || (bytes.size() == 1 && (bytes[0] == 0 || bytes[0] == 0xFF));
    fit_ = splat_ ? bytes.size() == 1 : bytes.size() == (count + 7) / 8;
  } else {
    splat_ = bytes.size() == width_;
    fit_ = splat_ || bytes.size() == width_ * count;
  }
}

std::uint64_t elements::operator[](std::size_t i) const noexcept {
  if (splat_) {
    i = 0;
  }
  if (of_ == number::i1) {
    return bytes_[i / 8] >> i % 8 & 1U;
  }
  std::uint64_t result = 0;
  for (unsigned b = 0; b < width_; ++b) {
    result |= std::uint64_t{bytes_[i * width_ + b]} << (8 * b);
  }
  return bits(of_) < 8 ? result & ((1ULL << bits(of_)) - 1) : result;
}

double to_double(number of, std::uint64_t bits) noexcept {
  if (of == number::f64) {
    return std::bit_cast<double>(bits);
  }
  if (of == number::f32) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  }
  if (of == number::f8e8m0fnu) {
    return bits == 0xFF ? std::numeric_limits<double>::quiet_NaN()
                        : std::ldexp(1.0, static_cast<int>(bits) - 127);
  }
  return small_to_double(format_of(of), bits);
}

} // namespace tilesim::tileir
