// PTX instructions of one thread that touch no memory: pure functions of bits.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/ptx/text.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace tilesim::sim::ptx {

/// How many bytes the type in an opcode has: 4 of "u32"; 0: it is none.
[[nodiscard]] unsigned bytes_of(std::string_view type);
/// The value of that type that some bits hold, in 64 bits.
[[nodiscard]] std::uint64_t as_type(std::string_view type, std::uint64_t bits);

/// The result; nothing: it knows no such instruction.
[[nodiscard]] std::optional<std::uint64_t> scalar(const instruction& i,
                                                  std::span<const std::uint64_t> given);

} // namespace tilesim::sim::ptx
