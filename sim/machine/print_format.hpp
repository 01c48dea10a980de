// Formats of printf as a device reads them: pieces of text and conversions, and what each takes.
//
// Pure functions. Found from recordings: tests/gpu/printing.cu.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/element.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::sim {

/// What a conversion wants as its argument.
enum class wanted : std::uint8_t {
  nothing,  ///< text, or %%
  integer,  ///< of 32 bits
  integer8, ///< of 64 bits
  number,   ///< a double
  string,
  pointer,
  unknown, ///< a device prints the conversion as it stands; it takes an argument all the same
};

/// A stretch of a format: text as it is printed, or one conversion as it was written.
struct format_piece {
  wanted what;
  std::string_view text;
};

/// Cuts a format up.
[[nodiscard]] std::vector<format_piece> pieces_of(std::string_view format);

/// The bits of an argument: integers extended to 32 bits by their sign (a bool by none), then to 64
/// by zeros; a double's; an address.
[[nodiscard]] std::uint64_t printed_bits(element kind, const void* cell) noexcept;

/// One value, formatted by a conversion, which reads of the bits what it wants. A string must be
/// one.
[[nodiscard]] std::string formatted(const format_piece& conversion, std::uint64_t bits);

} // namespace tilesim::sim
