// Which threads stand at the same, and how they are called together.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/step/thread_groups.hpp"

#include "sim/contract/number_ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>

namespace tilesim::driver::step {

namespace {

/// What those of a group have in common.
auto standing_of(const protocol::live_thread& t) {
  std::string waits_for;
  for (const protocol::waited_cell& c : t.waits_for) {
    waits_for += fmt::format("{}={};", c.place, c.value);
  }
  return std::tuple(t.launch, t.linear, t.state, t.operation, t.place, std::move(waits_for));
}

} // namespace

std::string thread_group::name() const {
  return numbers.size() < 2 ? first.name
                            : fmt::format("threads {} of block ({},{},{})",
                                          sim::number_ranges(numbers),
                                          first.block[0],
                                          first.block[1],
                                          first.block[2]);
}

std::vector<thread_group> grouped(const std::vector<protocol::live_thread>& threads) {
  std::vector<thread_group> groups;
  std::map<decltype(standing_of(threads.front())), std::size_t> known;
  for (const protocol::live_thread& t : threads) {
    std::size_t at = groups.size();
    if (t.in_block && !t.current) {
      at = known.try_emplace(standing_of(t), at).first->second;
    }
    if (at == groups.size()) {
      groups.push_back({.first = t,
                        .numbers = {},
                        .fewest_operations = t.operations,
                        .most_operations = t.operations});
    }
    thread_group& g = groups[at];
    g.numbers.push_back(t.linear_in_block);
    g.fewest_operations = std::min(g.fewest_operations, t.operations);
    g.most_operations = std::max(g.most_operations, t.operations);
  }
  for (thread_group& g : groups) {
    std::ranges::sort(g.numbers);
  }
  return groups;
}

} // namespace tilesim::driver::step
