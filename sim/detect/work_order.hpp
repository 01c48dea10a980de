// Where a piece of work stands among all that the host gave out: what is ordered before it,
// whenever it is done.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilesim::sim {

/// The host is lane 0, each stream is a lane; work of one lane is ordered by its number in it.
struct work_order {
  std::uint32_t lane = 0;
  std::uint32_t number = 1;          ///< in its lane, from 1
  std::vector<std::uint32_t> before; ///< by lane: everything up to this number is ordered before

  /// What is known of a lane.
  [[nodiscard]] std::uint32_t at(std::uint32_t l) const noexcept {
    return l < before.size() ? before[l] : 0;
  }
  /// Nothing orders this behind that, which was given out before it.
  [[nodiscard]] bool may_run_beside(const work_order& earlier) const noexcept {
    return lane != earlier.lane && at(earlier.lane) < earlier.number;
  }
  void know(std::uint32_t l, std::uint32_t upto) {
    if (l >= before.size()) {
      before.resize(std::size_t{l} + 1);
    }
    before[l] = std::max(before[l], upto);
  }
  /// This comes after `o`, and after all that `o` comes after.
  void follow(const work_order& o) {
    for (std::uint32_t l = 0; l < o.before.size(); ++l) {
      know(l, o.before[l]);
    }
    know(o.lane, o.number);
  }
};

} // namespace tilesim::sim
