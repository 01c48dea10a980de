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
#include <utility>

namespace tilesim::tools::step {

namespace {

/// What they are doing.
auto doing_of(const protocol::live_thread& t) {
  std::string waits_for;
  for (const protocol::waited_cell& c : t.waits_for) {
    waits_for += fmt::format("{}={};", c.place, c.value);
  }
  return std::tuple(t.launch, t.state, t.operation, t.place, std::move(waits_for));
}

/// What those of a group have in common.
auto standing_of(const protocol::live_thread& t) {
  return std::tuple(t.linear, doing_of(t));
}

} // namespace

std::string thread_group::name() const {
  if (blocks.size() > 1) {
    const std::string which = sim::number_ranges(blocks);
    return first.in_block
               ? fmt::format("thread{} {} of blocks {}",
                             numbers.size() == 1 ? "" : "s",
                             sim::number_ranges(numbers),
                             which)
               : fmt::format("{}s {}", first.name.substr(0, first.name.find(" (")), which);
  }
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
                        .blocks = {t.linear},
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

std::vector<thread_group> folded(std::vector<thread_group> groups) {
  std::vector<thread_group> all;
  std::map<std::pair<decltype(doing_of(groups.front().first)), std::vector<std::uint64_t>>,
           std::size_t>
      known;
  for (thread_group& g : groups) {
    std::size_t at = all.size();
    if (!g.first.current) {
      at = known.try_emplace({doing_of(g.first), g.numbers}, at).first->second;
    }
    if (at == all.size()) {
      all.push_back(std::move(g));
      continue;
    }
    thread_group& same = all[at];
    same.blocks.push_back(g.first.linear);
    same.fewest_operations = std::min(same.fewest_operations, g.fewest_operations);
    same.most_operations = std::max(same.most_operations, g.most_operations);
  }
  for (thread_group& g : all) {
    std::ranges::sort(g.blocks);
  }
  return all;
}

} // namespace tilesim::tools::step
