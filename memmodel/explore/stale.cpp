// How many reads of an execution are stale.
//
// A read that is not stale comes before the writes that follow, in coherence order, what it takes:
// then these, program order and reads-from have no circle. The fewest reads are looked for of which
// that need not hold.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/explore/stale.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tilesim::memmodel::explore {
namespace {

class search {
public:
  explicit search(const graph& g)
      : next_(g.size())
      , later_(g.size())
      , stale_(g.size(), false) {
    for (event_id e = 0; e < g.size(); ++e) {
      for (event_id before = 0; before < e; ++before) {
        if (graph::has(g.directly_before(e), before)) {
          next_[before].push_back(e);
        }
      }
      const graph_event& it = g[e];
      if (!it.what.is_read() || it.source[0] == no_event) {
        continue;
      }
      for (const event_id w : g.of_place(it.place)) {
        const event_id from = it.source[0];
        if (w != from && g[w].what.is_write() && g.ordered(w, e) &&
            (from == initial_write || graph::has(g.coherence_past(w), from))) {
          later_[e].push_back(w);
        }
      }
    }
  }

  /// Whether some reads, at most so many, are all that is in the way of an order.
  bool run(std::size_t most) {
    std::vector<event_id> way = circle();
    if (way.empty()) {
      return true;
    }
    if (most == 0) {
      return false;
    }
    return std::ranges::any_of(way, [&](event_id r) {
      stale_[r] = true;
      const bool enough = run(most - 1);
      stale_[r] = false;
      return enough;
    });
  }

private:
  /// Reads on a circle that come before a write that is later than theirs; empty: there is none.
  std::vector<event_id> circle() {
    state_.assign(next_.size(), state::unseen);
    std::vector<event_id> reads;
    for (event_id e = 0; e < next_.size() && reads.empty(); ++e) {
      if (state_[e] == state::unseen) {
        static_cast<void>(walk(e, reads));
      }
    }
    return reads;
  }

  enum class state : std::uint8_t { unseen, open, done };
  static constexpr event_id none = no_event;

  /// The event at which a circle closes that has been found on the way, and is still open; none.
  event_id walk(event_id e, std::vector<event_id>& reads) {
    state_[e] = state::open;
    const auto follow = [&](event_id to, bool is_read_of) {
      const event_id closes = state_[to] == state::open     ? to
                              : state_[to] == state::unseen ? walk(to, reads)
                                                            : none;
      if (closes != none && is_read_of) {
        reads.push_back(e);
      }
      return closes;
    };
    event_id closes = none;
    for (const event_id to : next_[e]) {
      if ((closes = follow(to, false)) != none || !reads.empty()) {
        return closes == e ? none : closes;
      }
    }
    for (std::size_t i = 0; !stale_[e] && i < later_[e].size(); ++i) {
      if ((closes = follow(later_[e][i], true)) != none || !reads.empty()) {
        return closes == e ? none : closes;
      }
    }
    state_[e] = state::done;
    return none;
  }

  std::vector<std::vector<event_id>> next_;  ///< by program order, reads-from, barriers
  std::vector<std::vector<event_id>> later_; ///< of a read: writes later than what it takes
  std::vector<bool> stale_;
  std::vector<state> state_;
};

} // namespace

bool at_most_stale(const graph& g, std::size_t most) {
  return search(g).run(most);
}

} // namespace tilesim::memmodel::explore
