// An instruction of x86-64 that computes with floating-point numbers in vector registers.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace tilesim::sim::errors {

/// What the decoder has to know of a stopped thread.
struct registers {
  std::array<std::uint64_t, 16> general{}; ///< by their number in instructions
  std::array<std::array<std::uint32_t, 4>, 16> vector{};
  std::uintptr_t next = 0; ///< address of the instruction
};

struct instruction {
  enum class what : std::uint8_t {
    computes,   ///< lanes of `left` and `right` (of `right` alone, if unary), and of `third`
    compares,   ///< a branch, a mask or flags follow
    to_integer, ///< a conversion; `cut`: toward zero
    converts,   ///< between float and double
    masks,      ///< and, or, xor of bits
    unknown     ///< it computes with numbers in a way that is not followed
  };
  what is = what::unknown;
  std::uint8_t opcode = 0; ///< in the map of 0F
  bool wide = false;       ///< double
  bool unary = false;
  bool fused = false; ///< left · right + third
  bool negates_product = false;
  bool subtracts = false; ///< left · right - third
  unsigned lanes = 1;
  std::array<std::uint64_t, 2> left{}; ///< 16 bytes
  std::array<std::uint64_t, 2> right{};
  std::array<std::uint64_t, 2> third{};

  /// The bits of a lane.
  [[nodiscard]] std::uint64_t lane(const std::array<std::uint64_t, 2>& from,
                                   unsigned i) const noexcept {
    return wide ? from[i] : (from[i / 2] >> (32 * (i % 2))) & 0xffffffffU;
  }
};

/// The instruction there; nothing if it computes no such numbers.
[[nodiscard]] std::optional<instruction> decode(const registers& at) noexcept;

} // namespace tilesim::sim::errors
