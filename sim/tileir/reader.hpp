// Reads Tile IR bytecode, 13.1 to 13.4.
//
// A file is not trusted: whatever is wrong with it is a bad_bytecode with section and offset. What
// has been read is whole: every value, type, constant, string and location that is named is there.
// Whether operands have the types that an operation takes is asked by who runs it
// (sim/interpreter).
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/tileir/cursor.hpp"
#include "sim/tileir/module.hpp"

#include <memory>
#include <span>
#include <string>

namespace tilesim::tileir {

/// Throws bad_bytecode.
[[nodiscard]] std::unique_ptr<const module> read(std::span<const std::uint8_t> bytes);

/// True if the bytes begin as a file of Tile IR does.
[[nodiscard]] bool is_bytecode(std::span<const std::uint8_t> bytes) noexcept;

/// The bytes of the file that begins there, of which nobody has said how long it is: it ends with
/// its section End. `limit`: as many may be looked at. 0: there is no such file.
[[nodiscard]] std::size_t length_of(const std::uint8_t* bytes, std::size_t limit) noexcept;

} // namespace tilesim::tileir
