// Phases of barriers: who ended them, what they await.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/engines/phases.hpp"

#include "sim/core/thread.hpp"

#include <fmt/format.h>

namespace tilesim::sim {

namespace {

/// No thread lags behind by more phases than these.
constexpr std::size_t most_phases = 16;

} // namespace

void phases::ended(const sim_thread& t, std::uintptr_t barrier, detect::operation_id arrival) {
  ends_[barrier] = {.launch = t.launch->id,
                    .block = t.block,
                    .thread = t.thread,
                    .number = t.linear_thread(),
                    .arrival = arrival};
}

std::optional<phase_end> phases::unordered_end(const sim_thread& t,
                                               detect::agent_id agent,
                                               std::uintptr_t barrier,
                                               detect::detector& d) const {
  const auto known = ends_.find(barrier);
  if (known == ends_.end() || known->second.launch != t.launch->id ||
      d.comes_before(known->second.arrival, agent)) {
    return {};
  }
  const last_arrival& last = known->second;
  sim_thread by;
  by.launch = t.launch;
  by.block = last.block;
  by.thread = last.thread;
  return phase_end{.who = fmt::format("{} of {}", by.name(), t.launch->kernel.name),
                   .thread = last.number,
                   .site = d.record(last.arrival).site};
}

void phases::await(phase_name phase, const detect::knowledge& done) {
  copies& c = copies_[phase.object];
  detect::knowledge& of_phase = c.by_phase[phase.number];
  of_phase = of_phase.joined(done);
  while (c.by_phase.size() > most_phases) {
    c.older = c.older.joined(c.by_phase.begin()->second);
    c.by_phase.erase(c.by_phase.begin());
  }
}

detect::knowledge phases::awaited_up_to(phase_name end) const {
  const auto known = copies_.find(end.object);
  if (known == copies_.end()) {
    return {};
  }
  detect::knowledge all = known->second.older;
  for (const auto& [number, done] : known->second.by_phase) {
    if (number >= end.number) {
      break;
    }
    all = all.joined(done);
  }
  return all;
}

void phases::forget(std::uintptr_t begin, std::size_t bytes) {
  copies_.erase(copies_.lower_bound(begin), copies_.lower_bound(begin + bytes));
  ends_.erase(ends_.lower_bound(begin), ends_.lower_bound(begin + bytes));
}

} // namespace tilesim::sim
