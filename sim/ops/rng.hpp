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
    const std::uint64_t z = mixed(state_ += step);
    return z ^ (z >> 31U);
  }

  /// What call number `n` gives, from 0: the sequence can be entered anywhere.
  [[nodiscard]] static constexpr std::uint64_t nth(std::uint64_t seed, std::uint64_t n) noexcept {
    return rng(seed + n * step)();
  }
  /// The same before its low bits are folded: the upper half is as good.
  [[nodiscard]] static constexpr std::uint64_t nth_unfolded(std::uint64_t seed,
                                                            std::uint64_t n) noexcept {
    return mixed(seed + (n + 1) * step);
  }

  /// A number below `bound` > 0. The bias is below bound / 2^64.
  constexpr std::uint64_t below(std::uint64_t bound) noexcept {
    __extension__ using wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<wide>((*this)()) * bound) >> 64U);
  }

private:
  static constexpr std::uint64_t step = 0x9e3779b97f4a7c15U;

  static constexpr std::uint64_t mixed(std::uint64_t z) noexcept {
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    return (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  }

  std::uint64_t state_;
};

} // namespace tilesim::sim
