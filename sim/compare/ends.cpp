// All executions' ends held against the one there: is it among them?
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/comparer.hpp"
#include "sim/contract/comparison_lines.hpp"
#include "sim/core/context.hpp"

#include <algorithm>
#include <cstdio>
#include <unistd.h>
#include <unordered_set>

namespace tilesim::sim::compare {

bool launch_comparer::is_known() const {
  return !parted_ && begun_ <= feed_.launches.size() && feed_.launches[begun_ - 1].observed;
}

bool launch_comparer::is_wanted() const {
  return context_.opts.compare_ends == begun_;
}

void launch_comparer::judge(const found_ends& all) {
  const scoped_access open(context_.mem);
  const fed_launch& last = feed_.launches[begun_ - 1];
  expect(last, counterparts_in(last));
  // Where there is something else there than before the launches.
  std::unordered_set<std::uintptr_t> changed;
  bool known = true;
  for (const auto& [id, m] : held_) {
    known = known && m.unlike.empty();
    for (std::size_t i = 0; i < m.expected.size(); ++i) {
      if (m.now()[i] != m.expected[i]) {
        changed.insert(m.here->begin + i);
      }
    }
  }
  const auto expected_at = [&](std::uintptr_t address) -> const std::byte* {
    for (const auto& [id, m] : held_) {
      if (address - m.here->begin < m.expected.size()) {
        return &m.expected[address - m.here->begin];
      }
    }
    return nullptr; // of a block's own memory
  };
  const auto is_it = [&](const found_ends::memory& end) {
    std::size_t found = 0;
    for (const auto& [address, byte] : end) {
      const std::byte* const there = expected_at(address);
      if (there != nullptr && *there != std::byte{byte}) {
        return false;
      }
      found += changed.contains(address) ? std::size_t{1} : std::size_t{0};
    }
    return found == changed.size();
  };
  const bool among = known && std::ranges::any_of(all.ends, is_it);
  lines_.write({{in_comparison::ends_of, begun_ - 1},
                {in_comparison::among, among},
                {in_comparison::whole, known && all.whole},
                {in_comparison::ends, all.ends.size()},
                {in_comparison::executions, all.executions}});
  std::fflush(nullptr);
  _exit(0);
}

} // namespace tilesim::sim::compare
