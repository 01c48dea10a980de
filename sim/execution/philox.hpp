// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers, as easy as 1, 2, 3; 2011).
//
// A counter-based generator: what it gives depends on key and counter alone, not on who has drawn
// before.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace tilesim::sim {

[[nodiscard]] constexpr std::array<std::uint32_t, 4>
philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) noexcept {
  constexpr unsigned rounds = 10;
  for (unsigned r = 0; r < rounds; ++r) {
    const std::uint64_t a = std::uint64_t{0xd2511f53U} * counter[0];
    const std::uint64_t b = std::uint64_t{0xcd9e8d57U} * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32U) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32U) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(a)};
    key[0] += 0x9e3779b9U;
    key[1] += 0xbb67ae85U;
  }
  return counter;
}

} // namespace tilesim::sim
