// Operands that find mistakes: special values, neighbours of powers of two, random bit patterns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace tilesim::test {

/// A fixed generator (splitmix64), the same everywhere.
class generator {
public:
  explicit generator(std::uint64_t seed)
      : state_(seed) {}
  std::uint64_t operator()() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }

private:
  std::uint64_t state_;
};

/// Bit patterns of a format: zeros, subnormals, 1, the largest, infinity, NaN, with both signs.
inline std::vector<std::uint64_t> special_patterns(int exponent_bits, int fraction_bits) {
  const std::uint64_t one_unit = std::uint64_t{1} << fraction_bits;
  const std::uint64_t bias = (std::uint64_t{1} << (exponent_bits - 1)) - 1;
  const std::uint64_t top = (std::uint64_t{1} << exponent_bits) - 1;
  std::vector<std::uint64_t> found;
  for (const std::uint64_t exponent : {std::uint64_t{0},
                                       std::uint64_t{1},
                                       std::uint64_t{2},
                                       bias - 1,
                                       bias,
                                       bias + 1,
                                       bias + static_cast<unsigned>(fraction_bits),
                                       top - 1,
                                       top}) {
    for (const std::uint64_t fraction :
         {std::uint64_t{0}, std::uint64_t{1}, one_unit / 2, one_unit - 1}) {
      for (const std::uint64_t sign : {std::uint64_t{0}, std::uint64_t{1}}) {
        found.push_back((((sign << exponent_bits) | exponent) << fraction_bits) | fraction);
      }
    }
  }
  return found;
}

/// A random pattern whose exponent is near the middle, so that sums and products do not all
/// overflow.
inline std::uint64_t moderate_pattern(generator& next, int exponent_bits, int fraction_bits) {
  const std::uint64_t bias = (std::uint64_t{1} << (exponent_bits - 1)) - 1;
  const std::uint64_t spread = next() % 64;
  const std::uint64_t exponent = (bias + spread - 32) & ((std::uint64_t{1} << exponent_bits) - 1);
  const std::uint64_t fraction = next() & ((std::uint64_t{1} << fraction_bits) - 1);
  // Half of them with few significant bits: ties and exact results.
  const std::uint64_t coarse =
      next() % 2 == 0 ? fraction : fraction & ~((std::uint64_t{1} << (fraction_bits * 2 / 3)) - 1);
  return ((((next() & 1U) << exponent_bits) | exponent) << fraction_bits) | coarse;
}

} // namespace tilesim::test
