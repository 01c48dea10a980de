// Threads that are alike: blocks that nothing tells apart.
//
// They have the same code and the same arguments, and none has read its index. Whether one does is
// found out by running, so that some that are taken for alike may turn out not to be: then all
// begins anew.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/assertion.hpp"
#include "sim/core/thread.hpp"
#include "sim/explore/kernel_threads.hpp"

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace tilesim::sim::exploring {

std::vector<std::uint32_t> kernel_threads::alike() const {
  std::map<const launch_state*, std::uint32_t> launches;
  std::vector<std::uint32_t> out;
  for (std::size_t t = 0; t < runs_.count(); ++t) {
    const launch_state& l = runs_.launch(t);
    const auto own = static_cast<std::uint32_t>(t);
    const bool apart = l.threads_per_block != 1 || shared_.told_apart(t);
    out.push_back(apart ? own : launches.try_emplace(&l, own).first->second);
  }
  return out;
}

namespace {

/// By thread of an exploration, those that are like it.
std::vector<std::vector<std::size_t>> classes_of(const std::vector<std::uint32_t>& numbers) {
  std::map<std::uint32_t, std::vector<std::size_t>> by_number;
  for (std::size_t t = 0; t < numbers.size(); ++t) {
    by_number[numbers[t]].push_back(t);
  }
  std::vector<std::vector<std::size_t>> out;
  for (auto& [number, members] : by_number) {
    if (members.size() > 1) {
      out.push_back(std::move(members));
    }
  }
  return out;
}

} // namespace

bool kernel_threads::some_alike() const {
  return !classes_of(alike()).empty();
}

void kernel_threads::share_among_alike() {
  for (const std::vector<std::size_t>& members : classes_of(alike())) {
    std::set<std::pair<std::size_t, std::vector<std::uint64_t>>> runs;
    auto& all = promises_[members.front()];
    for (const std::size_t t : members) {
      all.insert(promises_[t].begin(), promises_[t].end());
      TILESIM_ASSERT(first_[t] != nullptr, t);
      for_each_run(*first_[t], {}, [&](const step& last, const std::vector<std::uint64_t>& taken) {
        runs.emplace(last.number, taken);
      });
    }
    for (const std::size_t t : members) {
      promises_[t] = all;
      for (const auto& [last, taken] : runs) {
        run_again(t, last, taken);
      }
    }
  }
}

} // namespace tilesim::sim::exploring
