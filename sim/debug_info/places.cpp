// Who has registered which places.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/debug_info/places.hpp"

#include "memmodel/assertion.hpp"

#include <algorithm>
#include <map>

namespace tilesim::sim {

namespace {

struct range {
  std::uintptr_t begin;
  const place_resolver* by;
};

/// By their ends.
std::map<std::uintptr_t, range>& ranges() {
  static auto& all = *new std::map<std::uintptr_t, range>; // asked for to the very end
  return all;
}

} // namespace

registered_places::registered_places(const void* begin, std::size_t bytes, const place_resolver& by)
    : end_(reinterpret_cast<std::uintptr_t>(begin) + bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  const auto next = ranges().upper_bound(first);
  TILESIM_ASSERT(bytes != 0 && (next == ranges().end() || next->second.begin >= end_), bytes);
  ranges().emplace(end_, range{first, &by});
}

registered_places::~registered_places() {
  ranges().erase(end_);
}

std::optional<unsigned> next_operation_line(const std::map<unsigned, unsigned>& lines,
                                            unsigned line) {
  const auto found = std::find_if(lines.lower_bound(line), lines.end(), [line](const auto& next) {
    return next.second <= line || next.first == line;
  });
  return found == lines.end() ? std::nullopt : std::optional(found->first);
}

const place_resolver* registered_resolver(const void* place) noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(place);
  const auto it = ranges().upper_bound(at);
  return it != ranges().end() && it->second.begin <= at ? it->second.by : nullptr;
}

std::vector<const place_resolver*> registered_resolvers() {
  std::vector<const place_resolver*> all;
  for (const auto& [end, r] : ranges()) {
    all.push_back(r.by);
  }
  return all;
}

} // namespace tilesim::sim
