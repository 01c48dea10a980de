// Every execution that a model allows, once: threads that are alike.
//
// Of executions that are the same but for which of the threads that are alike does what, some are
// left out, and never all. Threads that are alike do the same as long as their reads take the same
// from the same writes. Up to there, and with the first thing in which they are told apart, the
// earlier thread comes first: what the later one does has what the earlier one does in its past, so
// that no write behind the later one is taken by the earlier one's read. Where that first thing is
// a write, the earlier thread's write comes first in coherence order, too.
//
// Of each execution the threads can be named so that this holds. Take an order of its events in
// which each comes behind what it depends on. Loads that take the same can be moved together in it,
// as nothing but their own thread waits for them. Then of two threads the one is the earlier that
// comes first with what tells them apart; where three are told apart at different places, the two
// that are alike for longer stand side by side. With writes it is the one that comes first in
// coherence order: no thread's write depends on that of another, or the other would depend on
// itself, as what it has read before is the same.
//
// Where groups of threads are alike, as blocks are, one thread of each stands for it: groups are
// named by what comes first of these two threads. That holds as above as long as nothing but its
// own thread waits for the loads that are moved, and as long as the earlier thread can go on
// whatever others do: up to the first write, barrier, or load that waits for a write. Of a barrier
// the arrivals are still compared; a load that waits for a write is not, as it may come late.
//
// Why the recursion misses none of these: what it adds last, by the last choice, comes before
// nothing, and what a revisit keeps is closed under this order as it is under the past: the event
// of an earlier thread is there whenever that of the later one is, since threads are added to in
// their order, and of the two events of a pair none goes without the other.
// Only instructions of one element are compared beyond their first element: elements of one
// instruction have no order, so that one may go and the next may stay.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/explore/explorer.hpp"

#include <algorithm>
#include <map>

namespace tilesim::memmodel::explore {

namespace {

constexpr std::uint64_t tag_of_step(std::size_t step) {
  return std::uint64_t{step} << 32U;
}

} // namespace

void explorer::find_alike() {
  alike_.clear();
  if (!settings_.symmetry || !first_pass_) {
    return;
  }
  const std::vector<std::uint32_t> numbers = program_.alike();
  std::map<std::uint32_t, std::vector<thread_id>> earlier;
  for (thread_id t = 0; t < numbers.size(); ++t) {
    std::vector<thread_id>& same = earlier[numbers[t]];
    for (const thread_id first : same) {
      alike_.emplace_back(first, t);
    }
    same.push_back(t);
  }
}

/// Calls f(a, b) with each two events of theirs of which a is to come first, in order.
void explorer::for_each_pair(const state& s,
                             thread_id first,
                             thread_id second,
                             const std::function<void(event_id, event_id)>& f) {
  const std::span<const event_id> one = s.g.of_thread(first);
  const std::span<const event_id> two = s.g.of_thread(second);
  std::size_t at_one = 0;
  std::size_t at_two = 0;
  const auto find = [&](std::span<const event_id> events, std::size_t& at, std::uint64_t tag) {
    const std::uint64_t behind = tag + tag_of_step(1);
    while (at < events.size() && s.g[events[at]].tag < behind && s.g[events[at]].tag != tag) {
      ++at;
    }
    return at < events.size() && s.g[events[at]].tag == tag ? events[at] : no_event;
  };
  for (std::size_t n = 0;; ++n) {
    const event_id a = find(one, at_one, tag_of_step(n));
    const event_id b = find(two, at_two, tag_of_step(n));
    if (a == no_event || b == no_event || s.threads[first].code[n].what->awaits) {
      return;
    }
    f(a, b);
    if (s.g[a].what.is_read() && s.g[a].half != no_event) {
      f(s.g[a].half, b);
    }
    ++at_one;
    ++at_two;
    const graph_event& x = s.g[a];
    const graph_event& y = s.g[b];
    if (x.what.is_fence()) {
      continue;
    }
    const running& r = s.threads[first].code[n];
    const bool writes = r.what->kind == step_kind::store || r.what->kind == step_kind::barrier ||
                        r.elements[0].writes || s.threads[second].code[n].elements[0].writes;
    if (writes || r.elements.size() != 1 || x.source != y.source) {
      return;
    }
  }
}

/// What has to be there before `e`, without it.
explorer::bit_set explorer::past_of(const state& s, event_id e) const {
  bit_set out(s.g.past(e).begin(), s.g.past(e).end());
  if (alike_.empty()) {
    return out;
  }
  std::vector<std::pair<event_id, event_id>> pairs;
  for (const auto& [first, second] : alike_) {
    for_each_pair(s, first, second, [&](event_id a, event_id b) { pairs.emplace_back(a, b); });
  }
  for (bool grown = true; grown;) {
    grown = false;
    for (const auto& [a, b] : pairs) {
      if ((b != e && !graph::has(out, b)) || graph::has(out, a)) {
        continue;
      }
      grown = true;
      out[a / 64] |= graph::word{1} << (a % 64U);
      for (std::size_t w = 0; w < out.size(); ++w) {
        out[w] |= s.g.past(a)[w];
      }
    }
  }
  return out;
}

/// Whether the last event, a write, may stand behind these alone.
bool explorer::in_symmetric_order(const state& s, graph::bits after) const {
  const auto last = static_cast<event_id>(s.g.size() - 1);
  const thread_id its = s.g[last].what.thread;
  return std::ranges::all_of(alike_, [&](const auto& pair) {
    bool right = true;
    if (pair.second == its) {
      for_each_pair(s, pair.first, its, [&](event_id a, event_id b) {
        right = right && (b != last || !s.g.ordered(a, b) || graph::has(after, a));
      });
    }
    return right;
  });
}

} // namespace tilesim::memmodel::explore
