// A fixed generator and a fixed bounded draw: the standard's distributions differ by library, and a
// seed must mean the same run everywhere.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tilesim::sim {

/// SplitMix64 (Steele, Lea, Flood 2014): any seed is a good one, and the state is one word.
class rng {
public:
  explicit constexpr rng(std::uint64_t seed) noexcept
      : state_(seed) {}

  constexpr std::uint64_t operator()() noexcept {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }

  /// A number below `bound` > 0. The bias is below bound / 2^64.
  constexpr std::uint64_t below(std::uint64_t bound) noexcept {
    __extension__ using wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<wide>((*this)()) * bound) >> 64U);
  }

private:
  std::uint64_t state_;
};

} // namespace tilesim::sim
