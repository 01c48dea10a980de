// The bits of an element in a form that a person asked for: print/x, x/4f.
//
// The letters are gdb's, and so is their meaning: they show the bits, whatever the type.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tilesim::sim::step {

/// x hexadecimal, d signed, u unsigned, o octal, t binary, c a character, a an address, f a
/// floating-point number.
inline constexpr std::string_view format_letters = "xduotcaf";

/// An element of 1, 2, 4 or 8 bytes, as it lies in memory. `f` reads 2 bytes as half, 4 as float, 8
/// as double, and one byte as a number. Throws std::invalid_argument for another letter.
[[nodiscard]] std::string formatted(std::span<const std::uint8_t> cell, char letter);

} // namespace tilesim::sim::step
