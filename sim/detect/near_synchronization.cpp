// Where two racing agents nearly synchronised.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/detect/near_synchronization.hpp"

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

/// What an access does towards another agent's, with its agent's fences between two operations.
template <class Does>
near_synchronization::side judge_side(const detector& d,
                                      operation_id access,
                                      operation_id other,
                                      operation_id from,
                                      operation_id to,
                                      Does does) {
  const operation_record& r = d.record(access);
  near_synchronization::side s{
      .access = access, .in_scope = d.scope_holds(r.scope, access, other), .orders = does(r.order)};
  for (const fence_record& f : d.fences()) {
    if (s.orders || f.agent != r.agent || f.after < from || f.after >= to || !does(f.order)) {
      continue;
    }
    s.orders = d.scope_holds(f.scope, access, other);
    s.narrow = s.orders ? std::nullopt : std::optional(f);
  }
  return s;
}

near_synchronization
judge(const detector& d, operation_id earlier, operation_id w, operation_id r, operation_id later) {
  return {.write = judge_side(d, w, r, earlier, w, releases),
          .read = judge_side(d, r, w, r, later, acquires)};
}

} // namespace

std::optional<near_synchronization>
find_near_synchronization(const detector& d, operation_id earlier, operation_id later) {
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
      near_synchronization h = judge(d, earlier, o, reads.at(r.first), later);
      if (const auto store = stores.find(r.first); store != stores.end() && h.is_pattern()) {
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
