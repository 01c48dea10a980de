// The list of a run's watchers.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/watcher.hpp"

#include <utility>

namespace tilesim::sim {

watcher& watcher_list::add(std::unique_ptr<watcher> w) {
  watcher& it = *w;
  all_.insert(all_.begin(), std::move(w));
  ask_all();
  return it;
}

void watcher_list::remove(const watcher& w) {
  std::erase_if(all_, [&w](const auto& other) { return other.get() == &w; });
  ask_all();
}

void watcher_list::ask_all() {
  wanted_ = nothing;
  for (const auto& w : all_) {
    const wanted_events wants = w->wants();
    wanted_.operations |= wants.operations;
    wanted_.accesses |= wants.accesses;
    wanted_.elements |= wants.accesses && wants.elements;
    wanted_.before |= wants.before;
    wanted_.turns |= wants.turns;
  }
}

} // namespace tilesim::sim
