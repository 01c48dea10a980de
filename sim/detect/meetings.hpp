// Meetings: barriers of blocks and warps, for clocks.
//
// A barrier of all agents of a block orders everything that any of them has done: instead of an
// entry for each of them a clock has one, of an agent that stands for the block, with the last
// operation before the barrier. What they know of others after it they know together.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/detect/clock.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tilesim::sim::detect {

constexpr std::uint64_t agents_of_a_warp = 32;

/// A block or a warp whose agents have met.
struct met_group {
  agent_id stands_for = 0;
  knowledge known; ///< to all of them since they met last
};

/// By the number of the first agent.
class meetings {
public:
  [[nodiscard]] bool empty() const noexcept { return blocks_.empty() && warps_.empty(); }
  [[nodiscard]] const met_group* block(agent_id first) const { return find(blocks_, first); }
  [[nodiscard]] const met_group* warp(agent_id first) const { return find(warps_, first); }

  /// That of a block; `next_agent`: the number that a new one takes.
  met_group& block(agent_id first, std::uint64_t& next_agent) {
    return made(blocks_, first, next_agent);
  }
  met_group& warp(agent_id first, std::uint64_t& next_agent) {
    return made(warps_, first, next_agent);
  }

  /// Agents of a block whose clocks hold more than the block's.
  [[nodiscard]] std::vector<agent_id>& ahead(agent_id first_of_block) {
    return ahead_[first_of_block];
  }

  template <class F>
  void each(F&& f) const {
    for (const auto* all : {&blocks_, &warps_}) {
      for (const auto& [first, group] : *all) {
        f(first, group);
      }
    }
  }

private:
  using groups = std::unordered_map<agent_id, met_group>;

  static const met_group* find(const groups& all, agent_id first) {
    const auto at = all.find(first);
    return at == all.end() ? nullptr : &at->second;
  }
  static met_group& made(groups& all, agent_id first, std::uint64_t& next_agent) {
    const auto [at, is_new] = all.try_emplace(first);
    if (is_new) {
      at->second.stands_for = static_cast<agent_id>(next_agent++);
    }
    return at->second;
  }

  groups blocks_;
  groups warps_;
  std::unordered_map<agent_id, std::vector<agent_id>> ahead_;
};

} // namespace tilesim::sim::detect
