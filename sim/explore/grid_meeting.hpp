// Where grids of blocks of several threads meet, for a search of a schedule.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/explore/witness.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace tilesim::sim::exploring {

/// A barrier of a grid whose blocks have several threads, as turns have it: the threads of a block
/// meet; then the first of each block meets those of the others; then the block meets once more.
/// [sim/execution/block_meeting.cpp] Threads that an execution has come to one barrier wait at up
/// to three, so that more turns are taken.
class grid_meeting {
public:
  grid_meeting(const std::vector<thread_way>& threads, std::uint64_t launch)
      : threads_(threads) {
    for (std::size_t t = 0; t < threads.size(); ++t) {
      if (threads[t].launch == launch) {
        blocks_[block_of(t)].members.push_back(t);
      }
    }
  }

  /// A thread has come, and waits: of its block the last one goes on to where it waits again.
  void comes(std::size_t t) {
    block& b = blocks_[block_of(t)];
    if (++b.came < b.members.size()) {
      return;
    }
    if (t == b.members.front()) {
      comes_for_block(t);
    } else {
      b.again.insert(t);
    }
  }

  /// All have come, and a thread goes on: calls turn(other) for each that has to come somewhere
  /// before. False: another one would go on instead.
  template <class F>
  bool goes_on(std::size_t t, F turn) {
    block& own = blocks_[block_of(t)];
    bool others_stay = true;
    const auto come = [&](std::size_t first) {
      comes_for_block(first);
      if (first != t) {
        turn(first);
        const block& its = blocks_[block_of(first)];
        others_stay = others_stay && its.again.size() < its.members.size();
      }
    };
    for (const auto& [number, b] : blocks_) {
      if (const std::size_t first = b.members.front();
          first != t && !first_of_blocks_.contains(first)) {
        come(first);
      }
    }
    if (t == own.members.front() && !first_of_blocks_.contains(t)) {
      come(t);
      own.again.erase(t); // it comes there as it goes on
    }
    if (!own.is_through) {
      others_stay = others_stay && !own.again.contains(t);
      for (const std::size_t other : own.members) {
        if (other != t && own.again.insert(other).second) {
          turn(other);
        }
      }
      own.is_through = true;
    }
    return others_stay;
  }

private:
  using block_number = std::uint64_t;
  struct block {
    std::vector<std::size_t> members;
    std::size_t came = 0;
    std::set<std::size_t> again; ///< those that have come to meet once more
    bool is_through = false;
  };

  [[nodiscard]] block_number block_of(std::size_t t) const {
    return threads_[t].linear / threads_[t].of_a_block;
  }
  void comes_for_block(std::size_t first) {
    first_of_blocks_.insert(first);
    if (first_of_blocks_.size() == blocks_.size()) { // the last one goes on
      blocks_[block_of(first)].again.insert(first);
    }
  }
  const std::vector<thread_way>& threads_;
  std::map<block_number, block> blocks_;
  std::set<std::size_t> first_of_blocks_; ///< that have come for their block
};

struct grid_meetings {
  explicit grid_meetings(const std::vector<thread_way>& all)
      : threads(all)
      , met(all.size(), 0) {}

  /// That which a thread comes to next, or is at.
  [[nodiscard]] grid_meeting& of(std::size_t t) {
    const std::uint64_t launch = threads[t].launch;
    return by_number.try_emplace({launch, met[t]}, threads, launch).first->second;
  }

  const std::vector<thread_way>& threads;
  std::vector<std::size_t> met;                                            ///< by thread: so many
  std::map<std::pair<std::uint64_t, std::size_t>, grid_meeting> by_number; ///< of a launch
};

} // namespace tilesim::sim::exploring
