// Every execution that a model allows, once: what writes do to reads that came before them.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/assertion.hpp"
#include "memmodel/explore/explorer.hpp"
#include "memmodel/explore/part_of_all.hpp"

#include <algorithm>

namespace tilesim::memmodel::explore {
namespace {

constexpr std::size_t instruction_of(std::uint64_t tag) {
  return tag >> 32U;
}
constexpr std::size_t element_of(std::uint64_t tag) {
  return tag & 0xffff'ffffU;
}
void add(std::vector<graph::word>& to, event_id e) {
  to[e / 64] |= graph::word{1} << (e % 64U);
}
bool arrives(const graph_event& e, event_id id) {
  return e.half == no_event || e.half > id;
}

/// Whether of these events none reads a write, and all writes that it is ordered with come before.
bool last_and_unread(const graph& g, event_id write, graph::word previous) {
  const graph::word before = g.coherence_past(write)[0];
  return std::ranges::all_of(g.of_place(g[write].place), [&](event_id x) {
    if (x == write || (previous >> x & 1U) == 0) {
      return true;
    }
    const graph_event& it = g[x];
    return it.what.is_read() ? it.source[0] != write
                             : (before >> x & 1U) != 0 || !g.ordered(x, write);
  });
}

/// The first events that stay what they are: how many.
event_id begin_as(const graph& from, graph::bits keep, graph& to, std::vector<event_id>& ids) {
  ids.assign(from.size(), no_event);
  event_id same = 0;
  while (!from.reordered() && same < from.size() && graph::has(keep, same)) {
    ids[same] = same;
    ++same;
  }
  to.begin_as(from, same);
  return same;
}

} // namespace

// --- A part of a graph.

/// `to` becomes the part of s that `keep` names: with all that its events depend on. `ids`: where
/// they are there.
void
    explorer::restrict(const state& s, const bit_set& keep, state& to, std::vector<event_id>& ids) {
  graph& g = to.g;
  g.trust();
  const event_id same = begin_as(s.g, keep, g, ids);
  const auto mapped = [&](event_id e) { return e < initial_write ? ids[e] : e; };
  bit_set after;
  for (event_id e = same; e < s.g.size(); ++e) {
    if (!graph::has(keep, e)) {
      continue;
    }
    const graph_event& it = s.g[e];
    std::vector<event_id> others; // that it depends on, or arrivals
    if (it.what.is_memory()) {
      s.g.for_each_dependency(e, [&](event_id d) { others.push_back(ids[d]); });
    }
    if (it.what.is_read()) {
      byte_sources from = it.source;
      std::ranges::transform(from, from.begin(), mapped);
      g.add_read(it.what, it.place, from, others);
    } else if (it.what.is_write()) {
      g.begin_write(it.what, it.place, mapped(it.half), others);
      after.assign(g.words(), 0);
      for (const event_id w : s.g.of_place(it.place)) {
        if (ids[w] != no_event && graph::has(s.g.coherence_past(e), w)) {
          add(after, ids[w]);
        }
      }
      g.place_last(after);
    } else if (it.what.is_fence()) {
      g.add_fence(it.what);
    } else if (arrives(it, e)) {
      g.add_arrival(it.what);
    } else {
      for (event_id a = 0; a < e; ++a) {
        if (graph::has(s.g.directly_before(e), a) && s.g[a].what.kind == event_kind::barrier &&
            s.g[a].what.instance == it.what.instance) {
          others.push_back(ids[a]);
        }
      }
      g.add_departure(it.what, others);
    }
    g.mark_last(it.stamp, it.tag);
    ids[e] = static_cast<event_id>(g.size() - 1);
  }
  g.distrust(s.g.reordered());
  to.next_stamp = s.next_stamp;
  to.promised.clear();
  for (const event_id p : s.promised) {
    if (ids[p] != no_event) {
      to.promised.push_back(ids[p]);
    }
  }
  for (thread_id t = 0; t < where_.size(); ++t) {
    restrict_thread(s, t, to);
  }
}

std::size_t explorer::steps_of(const running& r) {
  switch (r.what->kind) {
  case step_kind::load:
  case step_kind::store:
  case step_kind::update:
    return r.elements.size();
  case step_kind::barrier:
    return r.what->waits ? 2 : 1;
  default:
    return 1;
  }
}

/// How far a thread is with the events that were kept: up to the first instruction that is not
/// done.
void explorer::restrict_thread(const state& s, thread_id t, state& to) {
  const thread_part& from = s.threads[t];
  thread_part& part = to.threads[t];
  // No more than up to the first instruction behind those that have events, and what is done.
  std::size_t some = 0;
  for (const event_id e : to.g.of_thread(t)) {
    some = std::max(some, instruction_of(to.g[e].tag) + 1);
  }
  while (some < from.code.size() && steps_of(from.code[some]) == 0) {
    ++some;
  }
  some = std::min(some + 1, from.code.size());
  part.code.assign(from.code.begin(), from.code.begin() + static_cast<std::ptrdiff_t>(some));
  part.values = from.values;
  part.reads = from.reads;
  for (running& r : part.code) {
    r.left = steps_of(r);
    for (progress& p : r.elements) {
      p.at = progress::step::nothing;
    }
  }
  for (const event_id e : to.g.of_thread(t)) {
    const graph_event& it = to.g[e];
    running& r = part.code[instruction_of(it.tag)];
    if (!it.what.is_memory()) {
      --r.left;
      continue;
    }
    progress& p = r.elements[element_of(it.tag)];
    if (it.what.is_read()) {
      part.reads[r.first_read + element_of(it.tag)] = e;
    }
    const bool more = it.what.is_read() && p.writes;
    p.at = more ? progress::step::read : progress::step::done;
    r.left -= more ? 0U : 1U;
  }
  std::size_t n = 0;
  while (n < part.code.size() && part.code[n].left == 0) {
    ++n;
  }
  if (n < part.code.size()) {
    const running& open = part.code[n];
    const bool has_reads =
        open.what->kind == step_kind::load || open.what->kind == step_kind::update;
    part.values.resize(open.first_read + (has_reads ? open.elements.size() : 0));
    part.reads.resize(part.values.size(), no_event);
    part.code.resize(n + 1);
  }
}

// --- Revisits.

/// The graph in which `read` takes `write`, the last event, which has no position yet: what came
/// behind the read and is not in the write's past is taken back. From no other graph is it reached.
/// One function in spite of its length: one step from graph to graph, whose parts undo each other.
bool explorer::revisit(const state& s, event_id write, event_id read, const bit_set& past) {
  const graph_event& w = s.g[write];
  const graph_event& r = s.g[read];
  if (w.what.bytes != r.what.bytes) {
    return true;
  }
  // As a rule this refuses it, and then at little cost.
  if (r.half != no_event && !maximally_added(s, r.half, write, past)) {
    return true;
  }
  bit_set keep(s.g.words());
  std::vector<event_id> gone;
  gone.reserve(write);
  gone.push_back(read);
  for (event_id e = 0; e < write; ++e) {
    if (s.g[e].stamp < r.stamp || graph::has(past, e)) {
      add(keep, e);
    } else if (e != read) {
      gone.push_back(e);
    }
  }
  // Writes that others read first: they are refused without a look at the model.
  for (const bool writes : {true, false}) {
    for (const event_id e : gone) {
      if (s.g[e].what.is_write() == writes && !maximally_added(s, e, write, past)) {
        return true;
      }
    }
  }
  std::unique_ptr<state> to = spare();
  std::vector<event_id> ids;
  restrict(s, keep, *to, ids);

  thread_part& writer = to->threads[w.what.thread];
  running& store = writer.code[instruction_of(w.tag)];
  std::vector<event_id> depends;
  s.g.for_each_dependency(write, [&](event_id d) { depends.push_back(ids[d]); });
  const event_id made =
      to->g.begin_write(w.what, w.place, w.half == no_event ? no_event : ids[w.half], depends);
  to->g.mark_last(w.stamp, w.tag);
  store.elements[element_of(w.tag)].at = progress::step::done;
  --store.left;

  depends.clear();
  s.g.for_each_dependency(read, [&](event_id d) { depends.push_back(ids[d]); });
  event what = r.what;
  what.value = w.what.value;
  const std::size_t i = instruction_of(r.tag);
  const std::size_t e = element_of(r.tag);
  std::vector<bit_set> placings;
  to->g.for_each_placing([&](graph::bits after) {
    placings.emplace_back(after.begin(), after.end());
    return true;
  });
  bool go_on = true;
  const part_of_all share(weight_, covered_, placings.size());
  for (const bit_set& after : placings) {
    share.one_begun();
    if (!go_on || !in_symmetric_order(*to, after) || !to->g.place_last(after)) {
      continue;
    }
    if (to->g.add_read(what, r.place, all_from(made), depends)) {
      to->g.mark_last(r.stamp, r.tag);
      running& open = to->threads[r.what.thread].code[i];
      const std::size_t left = open.left;
      feed(*to, r.what.thread, i, e, what.value);
      go_on = visit(*to);
      running& again = to->threads[r.what.thread].code[i];
      again.left = left;
      again.elements[e].at = progress::step::nothing;
      to->g.remove_last();
    } else {
      ++counts_.refused;
    }
    to->g.displace_last();
  }
  spare_.push_back(std::move(to));
  return go_on;
}

/// Which events are as old as each, or older: where a set of events is one word.
void explorer::find_older(const state& s, event_id write) {
  if (s.g.words() != 1) {
    return;
  }
  by_stamp_.clear();
  for (event_id e = 0; e < write; ++e) { // most come in that order
    by_stamp_.push_back(e);
    for (std::size_t i = by_stamp_.size() - 1;
         i > 0 && s.g[by_stamp_[i - 1]].stamp > s.g[by_stamp_[i]].stamp;
         --i) {
      std::swap(by_stamp_[i - 1], by_stamp_[i]);
    }
  }
  up_to_.resize(write);
  graph::word all = 0;
  for (const event_id e : by_stamp_) {
    all |= graph::word{1} << e;
    up_to_[e] = all;
  }
}

/// Whether e, which a revisit by `write` takes back, had made the choice that all make in the one
/// graph from which the revisit is made: a write stands behind all others and is read by nobody, a
/// read takes the first that it may.
bool explorer::maximally_added(const state& s, event_id e, event_id write, const bit_set& past) {
  const graph_event& it = s.g[e];
  if (!it.what.is_memory()) {
    return true;
  }
  if (s.g.words() == 1 && it.what.is_write()) {
    return last_and_unread(s.g, e, past[0] | up_to_[e]);
  }
  bit_set& previous = previous_;
  previous = past;
  if (s.g.words() == 1) {
    previous[0] |= up_to_[e];
  } else {
    for (event_id x = 0; x < write; ++x) {
      if (s.g[x].stamp <= it.stamp) {
        add(previous, x);
      }
    }
  }
  if (it.what.is_read()) {
    return first_choice(s, e, previous);
  }
  return std::ranges::all_of(s.g.of_place(it.place), [&](event_id x) {
    if (x == e || !graph::has(previous, x)) {
      return true;
    }
    if (s.g[x].what.is_read()) {
      return s.g[x].source[0] != e;
    }
    return !s.g.ordered(x, e) || graph::has(s.g.coherence_past(e), x);
  });
}

/// Whether the read e takes the first write that it may take of those in `previous`: one that no
/// write is known to follow that it would have to see.
bool explorer::first_choice(const state& s, event_id e, const bit_set& previous) {
  const graph_event& it = s.g[e];
  const event_id from = it.source[0];
  if (from == no_event || (from != initial_write && !graph::has(previous, from))) {
    return false;
  }
  std::vector<event_id> writes;
  for (const event_id x : s.g.of_place(it.place)) {
    if (s.g[x].what.is_write() && graph::has(previous, x)) {
      writes.push_back(x);
    }
  }
  const auto overtaken = [&](event_id w) {
    return std::ranges::any_of(writes, [&](event_id x) {
      return x != w && s.g.ordered(x, e) &&
             (w == initial_write || graph::has(s.g.coherence_past(x), w));
    });
  };
  if (overtaken(from)) {
    return false;
  }
  std::vector<event_id> choices;
  std::ranges::copy_if(
      writes, std::back_inserter(choices), [&](event_id w) { return !overtaken(w); });
  std::ranges::sort(choices, [&](event_id a, event_id b) {
    return std::pair(s.g[a].what.thread, s.g[a].tag) > std::pair(s.g[b].what.thread, s.g[b].tag);
  });
  choices.push_back(initial_write);
  if (choices.front() == from) {
    return true;
  }
  bit_set keep = previous;
  keep[e / 64] &= ~(graph::word{1} << (e % 64U));
  const std::unique_ptr<state> part = spare();
  std::vector<event_id> ids;
  restrict(s, keep, *part, ids);
  std::vector<event_id> depends;
  s.g.for_each_dependency(e, [&](event_id d) { depends.push_back(ids[d]); });
  for (const event_id w : choices) {
    if (w == from) {
      return true;
    }
    if (w == initial_write && overtaken(w)) {
      continue;
    }
    if (part->g.add_read(it.what, it.place, all_from(w == initial_write ? w : ids[w]), depends)) {
      return false;
    }
  }
  return false;
}

} // namespace tilesim::memmodel::explore
