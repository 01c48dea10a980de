// Where two racing agents nearly synchronised.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/detect/handover.hpp"

#include <algorithm>
#include <unordered_map>

namespace tilesim::sim::detect {

namespace {

constexpr operation_id longest_look_back = 1U << 17U;

bool releases(memory_order o) noexcept {
  return o == memory_order::release || o == memory_order::acq_rel || o == memory_order::sc;
}
bool acquires(memory_order o) noexcept {
  return o == memory_order::acquire || o == memory_order::acq_rel || o == memory_order::sc;
}

/// Whether an agent has performed a fence that does so between two operations.
template <class Does>
bool fenced(const detector& d, agent_id agent, operation_id from, operation_id to, Does does) {
  return std::ranges::any_of(d.fences(), [&](const fence_record& f) {
    return f.agent == agent && f.after >= from && f.after < to && does(f.order);
  });
}

handover
judge(const detector& d, operation_id earlier, operation_id w, operation_id r, operation_id later) {
  const operation_record& write = d.record(w);
  const operation_record& read = d.record(r);
  return {.write = w,
          .read = r,
          .releases = releases(write.order) || fenced(d, write.agent, earlier, w, releases),
          .acquires = acquires(read.order) || fenced(d, read.agent, r, later, acquires),
          .in_scope = d.include_each_other(w, r)};
}

} // namespace

std::optional<handover> find_handover(const detector& d, operation_id earlier, operation_id later) {
  const agent_id from = d.record(earlier).agent;
  const agent_id to = d.record(later).agent;
  const operation_id first = std::max(earlier, later - std::min(later, longest_look_back));
  std::unordered_map<std::uintptr_t, operation_id> reads;  ///< the last one of each place
  std::unordered_map<std::uintptr_t, operation_id> stores; ///< the first of others before it
  for (operation_id o = later - 1; o > first; --o) {
    const operation_record& r = d.record(o);
    if (r.order == memory_order::weak) {
      continue;
    }
    if (r.agent == to && r.kind != access_kind::write) {
      reads.try_emplace(r.first, o);
    } else if (r.agent == from && r.kind != access_kind::read && reads.contains(r.first)) {
      handover h = judge(d, earlier, o, reads.at(r.first), later);
      if (const auto store = stores.find(r.first);
          store != stores.end() && h.releases && h.acquires && h.in_scope) {
        h.ended_by = store->second;
      }
      if (!h.synchronises()) {
        return h;
      }
    } else if (r.kind == access_kind::write && reads.contains(r.first)) {
      stores[r.first] = o;
    }
  }
  return std::nullopt;
}

} // namespace tilesim::sim::detect
