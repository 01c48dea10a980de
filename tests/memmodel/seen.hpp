// Executions as sets that can be compared: what reads take and from whom, and the order of writes.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/explore/explorer.hpp"

#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

namespace tilesim::memmodel {

/// Of each event its thread, its tag, whether it writes, its value, and the tag and thread of where
/// a read takes that from; of each write also those that lie before it in coherence order.
using seen =
    std::set<std::tuple<thread_id, std::uint64_t, bool, std::uint64_t, std::uint64_t, thread_id>>;

/// `names`: what the first threads are to be called; the others keep their numbers.
inline seen seen_of(const explore::found_execution& x, const std::vector<thread_id>& names) {
  seen out;
  const auto name = [&](thread_id t) { return t < names.size() ? names[t] : t; };
  for (event_id e = 0; e < x.what.size(); ++e) {
    const graph_event& it = x.what[e];
    const event_id from = it.source[0];
    out.emplace(name(it.what.thread),
                it.tag,
                it.what.is_write(),
                it.what.value,
                from < initial_write ? x.what[from].tag : ~0ULL,
                from < initial_write ? name(x.what[from].what.thread) : ~0U);
    for (event_id w = 0; it.what.is_write() && w < x.what.size(); ++w) {
      if (w != e && x.what[w].what.is_write() && x.what.ordered(w, e) &&
          graph::has(x.what.coherence_past(e), w)) {
        out.emplace(
            name(it.what.thread), it.tag, true, ~0ULL, x.what[w].tag, name(x.what[w].what.thread));
      }
    }
  }
  return out;
}

} // namespace tilesim::memmodel
