// Numbers as the disassembler prints them.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/tileir/module.hpp"

#include <cstdint>
#include <string>

namespace tilesim::tileir {

/// Signed decimal; an i1 as true or false.
[[nodiscard]] std::string integer_text(number of, std::uint64_t bits);

/// Six digits if they read back as the same number, else as many as it takes; what is no number,
/// in hexadecimal.
[[nodiscard]] std::string float_text(number of, std::uint64_t bits);

/// Either.
[[nodiscard]] std::string number_text(number of, std::uint64_t bits);

/// With the sign of its width.
[[nodiscard]] std::int64_t to_signed(number of, std::uint64_t bits) noexcept;

} // namespace tilesim::tileir
