// Bytes of memory as a number.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tilesim::sim {

/// At most eight, low byte first; the others are zero.
[[nodiscard]] inline std::uint64_t word_of(const void* from, std::size_t bytes) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, from, bytes);
  return word;
}

} // namespace tilesim::sim
