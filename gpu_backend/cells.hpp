// The cells of a recording: which formats there are, how every NaN becomes one pattern, the hash.
//
// Shared by the recorder, which is compiled into programs, and by the reader; so the
// standard library alone, and nothing of a simulator.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace tilesim::recording {

/// What a cell holds, and so how it is normalised and compared.
enum class cell_class : unsigned char {
  integer,  ///< compared bit for bit
  floating, ///< the same, but every NaN is one pattern
  truth,    ///< a bool: 0, or 1 for any other byte
  address,  ///< a device address means nothing elsewhere: 0 for null, 1 for any other
};

/// An element type as a recording names it.
struct cell_type {
  std::string_view name;
  cell_class kind;
  unsigned size;                         ///< bytes
  unsigned exponent_bits, fraction_bits; ///< of a floating type; 0 otherwise
  bool has_infinity;                     ///< e4m3 has none: its only NaN is all ones
};

inline constexpr cell_type cell_types[] = {
    {"bool", cell_class::truth, 1, 0, 0, false},
    {"byte", cell_class::integer, 1, 0, 0, false}, // of a type that the recorder does not know
    {"int8", cell_class::integer, 1, 0, 0, false},
    {"uint8", cell_class::integer, 1, 0, 0, false},
    {"int16", cell_class::integer, 2, 0, 0, false},
    {"uint16", cell_class::integer, 2, 0, 0, false},
    {"int32", cell_class::integer, 4, 0, 0, false},
    {"uint32", cell_class::integer, 4, 0, 0, false},
    {"int64", cell_class::integer, 8, 0, 0, false},
    {"uint64", cell_class::integer, 8, 0, 0, false},
    {"e4m3", cell_class::floating, 1, 4, 3, false},
    {"e5m2", cell_class::floating, 1, 5, 2, true},
    {"half", cell_class::floating, 2, 5, 10, true},
    {"bf16", cell_class::floating, 2, 8, 7, true},
    {"tf32", cell_class::floating, 4, 8, 23, true},
    {"float", cell_class::floating, 4, 8, 23, true},
    {"double", cell_class::floating, 8, 11, 52, true},
    {"pointer", cell_class::address, 8, 0, 0, false},
};

/// The type of that name, if there is one.
constexpr std::optional<cell_type> find_cell_type(std::string_view name) noexcept {
  for (const cell_type& type : cell_types) {
    if (type.name == name) {
      return type;
    }
  }
  return std::nullopt;
}

/// The bits of exponent and fraction.
constexpr std::uint64_t magnitude_mask(const cell_type& type) noexcept {
  return (std::uint64_t{1} << (type.exponent_bits + type.fraction_bits)) - 1;
}

/// The bits of an infinity, or of the one NaN of a type that has no infinity.
constexpr std::uint64_t top_pattern(const cell_type& type) noexcept {
  const std::uint64_t infinity = ((std::uint64_t{1} << type.exponent_bits) - 1)
                                 << type.fraction_bits;
  return type.has_infinity ? infinity : magnitude_mask(type);
}

constexpr bool is_nan(const cell_type& type, std::uint64_t bits) noexcept {
  const std::uint64_t magnitude = bits & magnitude_mask(type);
  return type.kind == cell_class::floating &&
         (type.has_infinity ? magnitude > top_pattern(type) : magnitude == top_pattern(type));
}

/// The pattern that stands for the cell: a NaN has all ones in exponent and fraction, sign 0.
constexpr std::uint64_t normalised(const cell_type& type, std::uint64_t bits) noexcept {
  if (type.kind == cell_class::truth || type.kind == cell_class::address) {
    return bits != 0 ? 1 : 0;
  }
  return is_nan(type, bits) ? magnitude_mask(type) : bits;
}

/// Reads a cell as a number; the hosts of recordings are little-endian, as CUDA's are.
inline std::uint64_t read_cell(const cell_type& type, const void* cell) noexcept {
  std::uint64_t bits = 0;
  std::memcpy(&bits, cell, type.size);
  return bits;
}

/// FNV-1a, 64 bits: over the bytes of the normalised cells, the lowest byte of each first.
class cell_hash {
public:
  constexpr void add(const cell_type& type, std::uint64_t normalised_bits) noexcept {
    for (unsigned i = 0; i < type.size; ++i) {
      value_ = (value_ ^ ((normalised_bits >> (8 * i)) & 0xffU)) * 0x100000001b3U;
    }
  }
  [[nodiscard]] constexpr std::uint64_t value() const noexcept { return value_; }

private:
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

} // namespace tilesim::recording
