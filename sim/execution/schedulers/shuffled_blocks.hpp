// A random order of a launch's blocks: every block once, without a table.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/ops/rng.hpp"

#include <cstdint>
#include <numeric>

namespace tilesim::sim {

class shuffled_blocks {
public:
  explicit shuffled_blocks(std::uint64_t seed)
      : seed_(seed) {}

  /// As scheduler::block(): an affine permutation of the blocks. Drawn from the seed and the
  /// launch, so that launches which run side by side keep theirs.
  std::uint64_t block(std::uint64_t launch, std::uint64_t nth, std::uint64_t count) {
    if (launch != launch_) {
      launch_ = launch;
      rng draw(seed_ ^ (launch * 0x9e3779b97f4a7c15U));
      offset_ = draw.below(count);
      do {
        stride_ = 1 + draw.below(count);
      } while (std::gcd(stride_, count) != 1);
    }
    __extension__ using wide = unsigned __int128; // the product may pass 2^64
    return static_cast<std::uint64_t>((static_cast<wide>(nth) * stride_ + offset_) % count);
  }

private:
  std::uint64_t seed_;
  std::uint64_t launch_ = 0;
  std::uint64_t offset_ = 0;
  std::uint64_t stride_ = 1;
};

} // namespace tilesim::sim
