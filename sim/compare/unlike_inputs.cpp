// Inputs that differ: kept until a launch ends, with what reads them.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/unlike_inputs.hpp"

#include "sim/core/watcher.hpp"

#include <algorithm>
#include <utility>

namespace tilesim::sim::compare {

void unlike_inputs::add(line told, std::uintptr_t begin, std::size_t bytes) {
  list_.push_back({.told = std::move(told), .begin = begin, .end = begin + bytes, .read = false});
}

void unlike_inputs::add(line told) {
  list_.push_back({.told = std::move(told), .begin = 0, .end = 0, .read = true});
}

void unlike_inputs::note(const memory_event& e) {
  if (!e.reads) {
    return;
  }
  for (input& i : list_) {
    for (unsigned k = 0; !i.read && k < e.count; ++k) {
      i.read = (e.mask == nullptr || e.mask[k] != 0) && e.addresses[k] < i.end &&
               i.begin < e.addresses[k] + e.bytes;
    }
  }
}

unlike_inputs::line unlike_inputs::take(bool accesses_noted) {
  line all = line::array();
  for (input& i : list_) {
    if ((i.read || !accesses_noted) && std::ranges::find(all, i.told) == all.end()) {
      all.push_back(std::move(i.told));
    }
  }
  list_.clear();
  return all;
}

} // namespace tilesim::sim::compare
