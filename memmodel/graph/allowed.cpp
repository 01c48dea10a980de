// Whether the model allows an execution that has grown by an event: the axioms where the new event
// is, and the page itself where that is not enough.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/assertion.hpp"
#include "memmodel/graph/graph.hpp"

#include <algorithm>

namespace tilesim::memmodel {

/// e is the last event.
bool graph::allowed(event_id e) {
  if (trusted_) {
    return true;
  }
  if (places_->any_mixed()) {
    return reorder_fences();
  }
  if (total_) {
    return (!events_[e].what.is_memory() || unread_order(events_[e].place)) && interleaved();
  }
  // A fence and a departure have nothing behind them that could contradict.
  return !events_[e].what.is_memory() || place_allowed(events_[e].place) ||
         (sc_fences_.size() > 1 && reorder_fences());
}

void graph::distrust(bool reordered) {
  trusted_ = false;
  if (reordered) {
    const bool again = reorder_fences();
    TILESIM_ASSERT(again, events_.size());
  }
}

/// What a read did not see, and what must not stand between the halves of a read-modify-write;
/// fills before_ with the from-reads that count in the order to be checked next.
bool graph::unread_order(place_number p) {
  before_.assign(events_.size() * words_, 0);
  if (words_ == 1 && !total_) {
    return unread_order_of_few(p);
  }
  const std::vector<event_id>& here = by_place_[p];
  for (const event_id w : here) {
    if (events_[w].what.is_write() && has(set(rows::co, w), w)) {
      return false; // [PTX: coherence]
    }
  }
  for (const event_id r : here) {
    const graph_event& read = events_[r];
    const event_id from = read.source[0];
    if (!read.what.is_read() || from == no_event) {
      continue;
    }
    if (from != initial_write && has(set(rows::cause, from), r)) {
      return false; // [PTX: causality] rf ; cause
    }
    for (const event_id w : here) {
      if (!events_[w].what.is_write() || (from != initial_write && !has(set(rows::co, w), from))) {
        continue;
      }
      if (has(set(rows::cause, r), w)) {
        return false; // [PTX: causality] fr ; cause
      }
      if (!ordered(r, w)) {
        continue;
      }
      if (read.half != no_event && w != read.half && has(set(rows::co, read.half), w) &&
          ordered(w, read.half)) {
        return false; // [PTX: atomicity] of the read-modify-write
      }
      add(before_.data() + w * words_, r);
    }
  }
  return true;
}

/// The same where a set of events is one word.
bool graph::unread_order_of_few(place_number p) {
  const word* const all = bits_.data();
  const auto one = [all](rows r, event_id e) {
    return all[e * row_count + static_cast<std::size_t>(r)];
  };
  const auto bit = [](event_id e) { return word{1} << e; };
  word writes = 0;
  for (const event_id w : by_place_[p]) {
    if (events_[w].what.is_write()) {
      writes |= bit(w);
    }
  }
  for (word left = writes; left != 0; left &= left - 1) {
    const auto w = static_cast<event_id>(__builtin_ctzll(left));
    if ((one(rows::co, w) & bit(w)) != 0) {
      return false; // [PTX: coherence]
    }
  }
  for (const event_id r : by_place_[p]) {
    const graph_event& read = events_[r];
    const event_id from = read.source[0];
    if (!read.what.is_read() || from == no_event) {
      continue;
    }
    word later = writes;
    if (from != initial_write) {
      if ((one(rows::cause, from) & bit(r)) != 0) {
        return false; // [PTX: causality] rf ; cause
      }
      for (word left = writes; left != 0; left &= left - 1) {
        const auto w = static_cast<event_id>(__builtin_ctzll(left));
        later &= (one(rows::co, w) & bit(from)) != 0 ? ~word{0} : ~bit(w);
      }
    }
    if ((later & one(rows::cause, r)) != 0) {
      return false; // [PTX: causality] fr ; cause
    }
    later &= one(rows::ms, r);
    if (read.half != no_event &&
        (later & ~bit(read.half) & one(rows::co, read.half) & one(rows::ms, read.half)) != 0) {
      return false; // [PTX: atomicity] of the read-modify-write
    }
    for (word left = later; left != 0; left &= left - 1) {
      before_[static_cast<std::size_t>(__builtin_ctzll(left))] |= bit(r);
    }
  }
  return true;
}

/// The axioms that speak of one place. [PTX: coherence, atomicity, causality, SC per location]
bool graph::place_allowed(place_number p) {
  if (!unread_order(p)) {
    return false;
  }
  for (const event_id e : by_place_[p]) {
    word* const before = before_.data() + e * words_;
    merge(before, set(rows::earlier, e));
    if (events_[e].what.is_write()) {
      for (std::size_t w = 0; w < words_; ++w) {
        before[w] |= set(rows::co, e)[w] & set(rows::ms, e)[w];
      }
    } else if (const event_id from = events_[e].source[0];
               from < initial_write && morally_strong(from, e)) {
      add(before, from);
    }
  }
  return acyclic(by_place_[p]);
}

/// [Lamport 1979] One order of all events.
bool graph::interleaved() {
  before_.assign(events_.size() * words_, 0);
  for (event_id e = 0; e < events_.size(); ++e) {
    word* const before = before_.data() + e * words_;
    merge(before, set(rows::last, e));
    merge(before, set(rows::co, e));
    if (!events_[e].what.is_read() || events_[e].source[0] == no_event) {
      continue;
    }
    const event_id from = events_[e].source[0];
    for (const event_id w : by_place_[events_[e].place]) {
      if (events_[w].what.is_write() && (from == initial_write || has(set(rows::co, w), from))) {
        add(before_.data() + w * words_, e);
      }
    }
  }
  std::vector<event_id> all(events_.size());
  for (event_id e = 0; e < all.size(); ++e) {
    all[e] = e;
  }
  return acyclic(all);
}

/// The same where a set of events is one word.
bool graph::acyclic_few(std::span<const event_id> events) const {
  word left = 0;
  for (const event_id e : events) {
    left |= word{1} << e;
  }
  for (word before = 0; left != before;) {
    before = left;
    for (word open = left; open != 0; open &= open - 1) {
      const auto e = static_cast<event_id>(__builtin_ctzll(open));
      left &= (before_[e] & left) == 0 ? ~(word{1} << e) : ~word{0};
    }
  }
  return left == 0;
}

/// Whether before_ has no cycle among these.
bool graph::acyclic(std::span<const event_id> events) {
  if (words_ == 1) {
    return acyclic_few(events);
  }
  left_.assign(words_, 0);
  std::size_t count = events.size();
  for (const event_id e : events) {
    add(left_.data(), e);
  }
  for (bool progress = true; progress && count != 0;) {
    progress = false;
    for (const event_id e : events) {
      if (!has(left_, e)) {
        continue;
      }
      const word* const before = before_.data() + e * words_;
      word open = 0;
      for (std::size_t w = 0; w < words_; ++w) {
        open |= before[w] & left_[w];
      }
      if (open == 0) {
        drop(left_.data(), e);
        --count;
        progress = true;
      }
    }
  }
  return count == 0;
}

// --- The page.

void graph::judge(const std::function<bool(const judged&)>& f, fence_orders which) const {
  // Initial writes first: one for a place, for each byte of it where it is mixed.
  std::vector<event> initial;
  std::vector<event_id> first_of(by_place_.size(), no_event);
  for (place_number p = 0; p < by_place_.size(); ++p) {
    if (by_place_[p].empty()) {
      continue;
    }
    first_of[p] = static_cast<event_id>(initial.size());
    const byte_range& bytes = places_->bytes(p);
    const std::uint32_t step = places_->mixed(p) ? 1 : bytes.size;
    for (std::uint32_t b = 0; b < bytes.size; b += step) {
      event e;
      e.kind = event_kind::write;
      e.bytes = {bytes.address + b, step};
      initial.push_back(e);
    }
  }
  // A departure is one event with its arrival.
  std::vector<event_id> shown(events_.size());
  std::size_t n = initial.size();
  for (event_id e = 0; e < events_.size(); ++e) {
    const event& it = events_[e].what;
    const bool departure = it.kind == event_kind::barrier && events_[e].half < e;
    shown[e] = departure ? shown[events_[e].half] : static_cast<event_id>(n++);
  }
  execution x(n);
  x.threads = threads_;
  std::ranges::copy(initial, x.events.begin());
  for (event_id e = 0; e < events_.size(); ++e) {
    x.events[shown[e]] = events_[e].what; // of a barrier the departure's, which waits
  }
  for (event_id e = 0; e < events_.size(); ++e) {
    const graph_event& it = events_[e];
    for (const event_id a : by_thread_[it.what.thread]) {
      if (shown[a] != shown[e] && in_order(a, e)) {
        x.po.add(shown[a], shown[e]);
      }
    }
    if (it.what.is_write() && it.half != no_event) {
      x.rmw.add(shown[it.half], shown[e]);
    }
    for_each(set(rows::chosen, e), [&](event_id w) { x.co.add(shown[w], shown[e]); });
    for_each(set(rows::direct, e), [&](event_id d) { x.data.add(shown[d], shown[e]); });
    for (std::uint32_t b = 0; it.what.is_read() && b < it.what.bytes.size; ++b) {
      if (it.source[b] == initial_write) {
        const bool mixed = places_->mixed(it.place);
        const auto skip = it.what.bytes.address - places_->bytes(it.place).address + b;
        x.read_byte_from(
            shown[e], b, first_of[it.place] + (mixed ? static_cast<event_id>(skip) : 0));
      } else if (it.source[b] != no_event) {
        x.read_byte_from(shown[e], b, shown[it.source[b]]);
      }
    }
  }
  relations r(x);
  r.add_reads();
  for_each_fence_order(x, r, *model_, which, [&] { return f({x, r, shown, initial.size()}); });
}

/// Some order of the fences that the model allows; false: there is none.
bool graph::reorder_fences() {
  bool found = false;
  judge([&](const judged& j) {
    adopt(j);
    found = true;
    return false;
  });
  return found;
}

/// Takes over what the page derives from its order of the fences.
void graph::adopt(const judged& j) {
  for (event_id e = 0; e < events_.size(); ++e) {
    word* const base = row(rows::base, e);
    word* const cause = row(rows::cause, e);
    std::fill_n(base, words_, 0);
    std::fill_n(cause, words_, 0);
    for (event_id a = 0; a < events_.size(); ++a) {
      if (j.derived.base(j.shown[a], j.shown[e])) {
        add(base, a);
      }
      if (j.derived.cause(j.shown[a], j.shown[e])) {
        add(cause, a);
      }
    }
  }
  for (place_number p = 0; p < by_place_.size(); ++p) {
    close_coherence(p);
  }
  reordered_ = true;
}

} // namespace tilesim::memmodel
