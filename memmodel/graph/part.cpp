// The first events of another execution, taken over as they are.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/graph/graph.hpp"

#include <algorithm>

namespace tilesim::memmodel {

// What is kept of an event is of those before it, but for moral strength and coherence.
void graph::begin_as(const graph& other, std::size_t count) {
  const auto n = static_cast<event_id>(count);
  words_ = other.words_;
  partial_ = other.partial_;
  reordered_ = false;
  events_.assign(other.events_.begin(), other.events_.begin() + static_cast<std::ptrdiff_t>(count));
  const std::size_t size = count * row_count * words_;
  bits_.assign(other.bits_.begin(), other.bits_.begin() + static_cast<std::ptrdiff_t>(size));
  for (event_id e = 0; e < n; ++e) {
    if (events_[e].half != no_event && events_[e].half >= n) {
      events_[e].half = no_event;
    }
    for (const rows r : {rows::ms, rows::chosen, rows::co}) {
      word* const all = row(r, e);
      for (std::size_t w = 0; w < words_; ++w) {
        const std::size_t before = std::min<std::size_t>(64, count - std::min(count, w * 64));
        all[w] &= before == 64 ? ~word{0} : (word{1} << before) - 1;
      }
    }
  }
  const auto first = [n](std::vector<event_id>& to, const std::vector<event_id>& from) {
    to.assign(from.begin(), std::ranges::lower_bound(from, n));
  };
  for (std::size_t t = 0; t < by_thread_.size(); ++t) {
    first(by_thread_[t], other.by_thread_[t]);
  }
  by_place_.resize(other.by_place_.size());
  first(sc_fences_, other.sc_fences_);
  for (place_number p = 0; p < by_place_.size(); ++p) {
    first(by_place_[p], other.by_place_[p]);
    if (by_place_[p].size() != other.by_place_[p].size() && !all_ordered(p)) {
      close_coherence(p); // that of two may have been known through one that is not there
    }
  }
}

/// Whether all writes of a place have to be ordered with each other.
bool graph::all_ordered(place_number p) const {
  for (const event_id w : by_place_[p]) {
    for (const event_id before : by_place_[p]) {
      if (before >= w) {
        break;
      }
      if (events_[w].what.is_write() && events_[before].what.is_write() && !ordered(before, w)) {
        return false;
      }
    }
  }
  return true;
}

} // namespace tilesim::memmodel
