// Which thread of which launch a scheduler's thread number is.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/scheduler.hpp"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace tilesim::sim {

class thread_names {
public:
  /// Launch and thread in it, linear.
  using name = std::pair<std::uint64_t, std::uint64_t>;

  void begin(std::uint64_t launch, std::uint64_t threads_per_block) {
    launches_[launch].threads_per_block = threads_per_block;
  }

  [[nodiscard]] bool begun(std::uint64_t launch) const { return launches_.contains(launch); }

  /// The last launch that has begun; 0: none has.
  [[nodiscard]] std::uint64_t last_launch() const {
    return launches_.empty() ? 0 : launches_.rbegin()->first;
  }

  /// The next thread of a launch starts, in its `nth` block. `choose()` gives the block's index if
  /// the block is a new one. Returns that index.
  template <class Choose>
  std::uint64_t start(std::uint64_t launch, std::uint64_t nth, Choose choose) {
    begun_launch& l = launches_[launch];
    if (l.nth != nth) {
      l.nth = nth;
      l.block = choose();
      l.threads = 0;
    }
    names_.emplace_back(launch, (l.block * l.threads_per_block) + l.threads++);
    return l.block;
  }

  [[nodiscard]] std::uint64_t threads_per_block(std::uint64_t launch) const {
    return launches_.at(launch).threads_per_block;
  }

  /// How many threads have started: the number that the next one gets.
  [[nodiscard]] thread_number started() const noexcept { return names_.size(); }

  [[nodiscard]] const name& operator[](thread_number n) const { return names_[n]; }

private:
  struct begun_launch {
    std::uint64_t threads_per_block = 1;
    std::uint64_t nth = ~std::uint64_t{0}; ///< the block whose threads are starting
    std::uint64_t block = 0;
    std::uint64_t threads = 0; ///< of that block, that have started
  };

  std::map<std::uint64_t, begun_launch> launches_;
  std::vector<name> names_;
};

} // namespace tilesim::sim
