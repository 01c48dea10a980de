// Elements as numbers: how far apart two of them are, and as a person reads them.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilesim::tools::diff {

/// An element type, as the simulator names it: "f32", "u8", "i1".
struct cell_type {
  std::string_view name;
  unsigned size = 0;          ///< bytes
  unsigned exponent_bits = 0; ///< of a floating type; 0 otherwise
  unsigned fraction_bits = 0;
  bool has_infinity = false; ///< e4m3 has none: its only NaN is all ones

  [[nodiscard]] bool is_floating() const noexcept { return exponent_bits != 0; }
};

/// The type of that name, if there is one.
[[nodiscard]] std::optional<cell_type> find_cell_type(std::string_view name) noexcept;

/// Steps from one floating-point value to the other along the type's values in order; both zeros
/// are one value. A NaN is 0 away from a NaN and the largest number away from all else.
[[nodiscard]] std::uint64_t
ulps_between(const cell_type& type, std::uint64_t a, std::uint64_t b) noexcept;

/// The bits of an element in memory; hosts are little-endian, as CUDA's are.
[[nodiscard]] std::uint64_t read_cell(const cell_type& type, const std::byte* cell) noexcept;

/// `3f800000 (1)`, `ffffffff (-1)`.
[[nodiscard]] std::string cell_text(const cell_type& type, std::uint64_t bits);

} // namespace tilesim::tools::diff
