// Schedules of a check: derived from one seed.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/schedule.hpp"

#include "sim/contract/rng.hpp"

#include <algorithm>
#include <iterator>

namespace tilesim::tools {
namespace {

// 32 bits: seeds that are short to write.
std::uint64_t short_seed(std::uint64_t seed, std::uint64_t index) {
  return sim::rng::nth_unfolded(seed, index - 1) >> 32U;
}

constexpr std::uint64_t most_depth = 99;

} // namespace

schedule nth_schedule(std::size_t index, const schedule_source& from) {
  if (index == 0) {
    return {};
  }
  constexpr std::size_t first_weak = 7;
  schedule s;
  s.seed = s.fill = short_seed(from.seed, index);
  s.weak = from.weak && index >= first_weak && (index - first_weak) % 3 == 0;
  if (index % 2 == 1) {
    s.how = index % 4 == 1 ? strategy::random : strategy::bursts;
    return s;
  }
  s.how = strategy::pct;
  s.at_once = true;
  if (s.weak) {
    s.depth = 1; // what is stale, or waits, is order enough: a preemption more would hide it
    return s;
  }
  // Bugs of few ordered events; and those that every few operations have a chance to begin, such as
  // those of a barrier that is passed again and again.
  constexpr std::uint64_t every[] = {0, 16, 8};
  const auto rarity = every[(index / 2 - 1) % std::size(every)];
  s.depth = from.depth;
  if (rarity != 0) {
    s.depth =
        std::max(from.depth, static_cast<unsigned>(std::min(most_depth, from.steps / rarity)));
  }
  while (s.log_steps < sim::most_log_steps && (std::uint64_t{1} << s.log_steps) < from.steps) {
    ++s.log_steps;
  }
  return s;
}

} // namespace tilesim::tools
