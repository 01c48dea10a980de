// Element types, and their bits as numbers.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/diff/cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace tilesim::tools::diff {

namespace {

constexpr std::array cell_types{cell_type{"i1", 1},
                                cell_type{"i8", 1},
                                cell_type{"u8", 1},
                                cell_type{"i16", 2},
                                cell_type{"u16", 2},
                                cell_type{"i32", 4},
                                cell_type{"u32", 4},
                                cell_type{"i64", 8},
                                cell_type{"u64", 8},
                                cell_type{"f8e4m3", 1, 4, 3, false},
                                cell_type{"f8e5m2", 1, 5, 2, true},
                                cell_type{"f16", 2, 5, 10, true},
                                cell_type{"bf16", 2, 8, 7, true},
                                cell_type{"tf32", 4, 8, 23, true},
                                cell_type{"f32", 4, 8, 23, true},
                                cell_type{"f64", 8, 11, 52, true}};

/// The bits of exponent and fraction.
std::uint64_t magnitude_mask(const cell_type& type) noexcept {
  return (std::uint64_t{1} << (type.exponent_bits + type.fraction_bits)) - 1;
}

/// The bits of an infinity, or of the one NaN of a type that has no infinity.
std::uint64_t top_pattern(const cell_type& type) noexcept {
  const std::uint64_t infinity = ((std::uint64_t{1} << type.exponent_bits) - 1)
                                 << type.fraction_bits;
  return type.has_infinity ? infinity : magnitude_mask(type);
}

bool is_nan(const cell_type& type, std::uint64_t bits) noexcept {
  const std::uint64_t magnitude = bits & magnitude_mask(type);
  return type.is_floating() &&
         (type.has_infinity ? magnitude > top_pattern(type) : magnitude == top_pattern(type));
}

/// Values in their order on the number line: the lesser number is the lesser value.
std::uint64_t rank_of(const cell_type& type, std::uint64_t bits) noexcept {
  const std::uint64_t magnitude = bits & magnitude_mask(type);
  const std::uint64_t zero = std::uint64_t{1} << 63U;
  return magnitude != bits ? zero - magnitude : zero + magnitude;
}

/// The value of a floating-point cell.
double value_of(const cell_type& type, std::uint64_t bits) noexcept {
  const std::uint64_t unit = std::uint64_t{1} << type.fraction_bits;
  const auto exponent = static_cast<int>((bits & magnitude_mask(type)) >> type.fraction_bits);
  const int bias = (1 << (type.exponent_bits - 1)) - 1;
  const auto significand = static_cast<double>((bits & (unit - 1)) | (exponent != 0 ? unit : 0U));
  double magnitude =
      std::ldexp(significand, std::max(exponent, 1) - bias - static_cast<int>(type.fraction_bits));
  if (type.has_infinity && (bits & magnitude_mask(type)) == top_pattern(type)) {
    magnitude = std::numeric_limits<double>::infinity();
  }
  return (bits >> (type.exponent_bits + type.fraction_bits)) != 0 ? -magnitude : magnitude;
}

} // namespace

std::optional<cell_type> find_cell_type(std::string_view name) noexcept {
  const auto* const found = std::ranges::find(cell_types, name, &cell_type::name);
  return found == cell_types.end() ? std::nullopt : std::optional(*found);
}

std::uint64_t ulps_between(const cell_type& type, std::uint64_t a, std::uint64_t b) noexcept {
  if (is_nan(type, a) || is_nan(type, b)) {
    return is_nan(type, a) && is_nan(type, b) ? 0 : UINT64_MAX;
  }
  const std::uint64_t x = rank_of(type, a);
  const std::uint64_t y = rank_of(type, b);
  return x > y ? x - y : y - x;
}

std::uint64_t read_cell(const cell_type& type, const std::byte* cell) noexcept {
  std::uint64_t bits = 0;
  std::memcpy(&bits, cell, type.size);
  return bits;
}

std::string cell_text(const cell_type& type, std::uint64_t bits) {
  std::string hex = fmt::format("{:0{}x}", bits, 2 * type.size);
  if (!type.is_floating()) {
    const unsigned unused = 64 - 8 * type.size;
    return type.name.front() == 'i'
               ? fmt::format("{} ({})", hex, static_cast<std::int64_t>(bits << unused) >> unused)
               : fmt::format("{} ({})", hex, bits);
  }
  return is_nan(type, bits) ? hex + " (nan)"
                            : fmt::format("{} ({:.9g})", hex, value_of(type, bits));
}

} // namespace tilesim::tools::diff
