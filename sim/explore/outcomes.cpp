// What executions end in, and what is found in them.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/outcomes.hpp"

#include "memmodel/race.hpp"
#include "sim/core/context.hpp"
#include "sim/core/thread.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/execution/lone_runs.hpp"
#include "sim/explore/picture.hpp"
#include "sim/memory/orders.hpp"
#include "sim/naming/address_report.hpp"
#include "sim/naming/index_text.hpp"
#include "sim/watch/report_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tilesim::sim::exploring {

namespace {

using memmodel::event;
using memmodel::event_id;
using memmodel::graph;
using memmodel::explore::found_execution;

constexpr std::size_t step_of(std::uint64_t tag) {
  return tag >> 32U;
}

/// Pairs of accesses to one place of which one writes, the earlier event first.
template <class F>
void for_each_conflict(const graph& g, F f) {
  for (event_id b = 0; b < g.size(); ++b) {
    if (!g[b].what.is_memory()) {
      continue;
    }
    for (const event_id a : g.of_place(g[b].place)) {
      if (a >= b) {
        break;
      }
      if (g[a].what.is_write() || g[b].what.is_write()) {
        f(a, b);
      }
    }
  }
}

std::string noun(const step& s) {
  return s.what->kind == step_kind::load    ? "load"
         : s.what->kind == step_kind::store ? "store"
                                            : "update";
}

std::string verb(const step& s, const event& e) {
  const memmodel::memory_order o =
      s.what->kind == step_kind::update ? stronger(s.what->order, s.what->write_order) : e.order;
  return o == memmodel::memory_order::weak
             ? fmt::format("weak {}", noun(s))
             : fmt::format("{} {} of {} scope", name(o), noun(s), name(e.scope));
}

/// What the two accesses of a race have in common.
struct race_between {
  bool two_launches = false;
  bool one_block = false;
  bool one_warp = false; ///< of it
  bool copies = false;   ///< an asynchronous one among them
};

std::string remedy(finding_kind kind, race_between of) {
  if (of.copies) {
    return "wait for the phase of the barrier or pipeline that the copy belongs to, before it is "
           "read and before its source is written";
  }
  if (kind == finding_kind::narrow_scope) {
    return "give both thread_scope::device";
  }
  if (kind == finding_kind::token_race) {
    return "let both go through one array: cuTile orders accesses by array, and takes arrays that "
           "it is given for apart";
  }
  if (of.one_warp) {
    return "let the threads of the block meet in between: __syncthreads(), or, where not all of "
           "them "
           "come there, the lanes of the warp: __syncwarp(); or make both accesses atomic";
  }
  if (of.one_block) {
    return "let the threads of the block meet in between: __syncthreads(), or make both accesses "
           "atomic";
  }
  return of.two_launches
             ? "use one stream for both, or let one wait for an event of the other's"
             : "make both accesses atomic, give each block places of its own, or order the "
               "two by a release store and an acquire load of a flag";
}

void say_duplicate(finding_text& f, const event& a, const event& b) {
  f.message = fmt::format("elements {} and {} of one store write {} to the same place",
                          a.element,
                          b.element,
                          a.value == b.value ? "equal values" : "different values");
  f.remedy = "give every active element a place of its own (a mask drops the others), or store "
             "with an atomic operation";
}

void say_token_race(finding_text& f,
                    const std::string& one,
                    const std::string& other,
                    const std::string& block) {
  f.message = fmt::format("{} and {} by one block, {}: no token orders them", one, other, block);
  f.details.emplace_back(
      "order within a block is what tokens say, whatever comes first in the program");
  f.remedy = remedy(finding_kind::token_race, {});
}

} // namespace

finding outcomes::resolved(const void* site, finding_text text) {
  findings one;
  one.quiet = true;
  one.add(site, std::move(text));
  return one.all().findings.front();
}

std::string outcomes::block_of(memmodel::thread_id t) const {
  return block_text_of({&threads_.runs().launch(t), threads_.runs().linear(t)});
}

bool outcomes::are_lanes(memmodel::thread_id a, memmodel::thread_id b) const {
  constexpr std::uint64_t warp = 32;
  const std::uint64_t threads = threads_.runs().launch(a).threads_per_block;
  const std::uint64_t x = threads_.runs().linear(a);
  const std::uint64_t y = threads_.runs().linear(b);
  return threads > 1 && x / threads == y / threads && x % threads / warp == y % threads / warp;
}

std::string outcomes::by(memmodel::thread_id t) const {
  const launch_state& l = threads_.runs().launch(t);
  return l.threads_per_block == 1 && l.kind != kernel_kind::simt
             ? fmt::format("tile {} of {}", block_of(t), l.kernel.name)
             : fmt::format(
                   "thread {} of {} of {}",
                   index_text(threads_.runs().linear(t) % l.threads_per_block, l.config.block),
                   block_of(t),
                   l.kernel.name);
}

std::vector<thread_way> outcomes::ways(const found_execution& x) {
  std::vector<thread_way> out(threads_.count());
  for (memmodel::thread_id t = 0; t < out.size(); ++t) {
    out[t].launch = threads_.runs().launch(t).id;
    out[t].linear = threads_.runs().linear(t);
    out[t].of_a_block = threads_.runs().launch(t).threads_per_block;
    for (std::size_t n = 0; n <= x.performed[t]; ++n) {
      out[t].steps.push_back(&threads_.at(t, x.values[t], n));
    }
  }
  return out;
}

// --- Final memory.

/// The writes that no other follows.
outcomes::last_writes outcomes::last_of(const graph& g,
                                        const std::function<bool(event_id, event_id)>& precedes) {
  last_writes out;
  for (event_id w = 0; w < g.size(); ++w) {
    if (!g[w].what.is_write()) {
      continue;
    }
    const memmodel::place_number p = g[w].place;
    if (out.size() <= p) {
      out.resize(p + 1);
    }
    const bool last = std::ranges::none_of(g.of_place(p), [&](event_id v) {
      return v != w && g[v].what.is_write() && precedes(w, v);
    });
    if (last) {
      out[p].push_back(w);
    }
  }
  return out;
}

void outcomes::complete(const found_execution& x) {
  noted_.clear();
  if (x.buffered) {
    found_.buffered.push_back({x.name, {}, {}});
  } else {
    ++found_.executions;
  }
  std::vector<const step*> ends(threads_.count());
  bool some_found = false;
  for (memmodel::thread_id t = 0; t < ends.size(); ++t) {
    ends[t] = &threads_.at(t, x.values[t], x.performed[t]);
    some_found = some_found || ends[t]->some_found;
  }
  add(x, ends, look_for_races(x));
  if (some_found) {
    for (const thread_way& way : ways(x)) {
      for (const step* s : way.steps) {
        for (const finding& f : s->found) {
          note(x, f);
        }
      }
    }
  }
}

/// Unless there is one.
void outcomes::draw(const found_execution& x, message& to) {
  if (!pictures_ || !to.is_null()) {
    return;
  }
  std::vector<std::string> names;
  for (memmodel::thread_id t = 0; t < threads_.count(); ++t) {
    names.push_back(by(t));
  }
  to = picture_of(context_, x.what, ways(x), names);
}

/// What threads have added to numbers, in whatever order.
void outcomes::add_sums(const std::vector<const step*>& ends,
                        std::map<std::uintptr_t, std::uint8_t>& to) const {
  std::map<std::pair<std::uintptr_t, std::uint32_t>, std::uint64_t> sums;
  for (const step* end : ends) {
    for (const auto& [address, bytes, sum] : end->added) {
      sums[{address, bytes}] += sum;
    }
  }
  for (const auto& [where, sum] : sums) {
    const auto& [address, bytes] = where;
    if (context_.shared.holds(address)) {
      continue;
    }
    const std::uint64_t value = threads_.initial({address, bytes}) + sum;
    for (std::uint32_t b = 0; b < bytes; ++b) {
      to[address + b] = static_cast<std::uint8_t>(value >> (8 * b));
    }
  }
}

/// Who comes first is not told: threads in their order.
std::string outcomes::printed_by(const found_execution& x, const std::vector<const step*>& ends) {
  std::string text;
  if (std::ranges::any_of(ends, &step::some_printed)) {
    for (const thread_way& way : ways(x)) {
      for (const step* s : way.steps) {
        text += s->printed;
      }
    }
  }
  return text;
}

/// Shared memory is over with its block, and what threads tell each other is no memory.
bool outcomes::is_told(std::uintptr_t address) const {
  return !is_exchange(address) && !context_.shared.holds(address);
}

/// `last`: by place, writes of one value.
std::size_t outcomes::state_of(const found_execution& x,
                               const std::vector<const step*>& ends,
                               const last_writes& last) {
  const graph& g = x.what;
  const auto tells = [&](const std::vector<event_id>& w) {
    return !w.empty() && is_told(g[w.front()].what.bytes.address);
  };
  key k;
  k.reserve(last.size() * 2 + ends.size());
  for (const std::vector<event_id>& w : last) {
    k.push_back(tells(w) ? 1 : 0);
    k.push_back(tells(w) ? g[w.front()].what.value : 0);
  }
  for (const step* end : ends) {
    const bool leaves = !end->left.empty() || !end->added.empty() || end->some_printed;
    k.push_back(leaves ? reinterpret_cast<std::uintptr_t>(end) : 0);
  }
  auto [at, is_new] = by_key_.try_emplace(std::move(k), found_.states.size());
  if (is_new) {
    std::map<std::uintptr_t, std::uint8_t> made;
    for (const step* end : ends) {
      for (const auto& [address, byte] : end->left) {
        if (!context_.shared.holds(address)) { // which is over with its block
          made[address] = byte;
        }
      }
    }
    add_sums(ends, made);
    for (const std::vector<event_id>& w : last) {
      for (std::uint32_t b = 0; tells(w) && b < g[w.front()].what.bytes.size; ++b) {
        const event& e = g[w.front()].what;
        made[e.bytes.address + b] = static_cast<std::uint8_t>(e.value >> (8 * b));
      }
    }
    // Threads that come to the same by other ways leave the same.
    at->second = states_.of({made.begin(), made.end()}, printed_by(x, ends), found_.states);
  }
  return at->second;
}

/// Of racing writes any may be the last: each value is a state, in which the execution counts once.
void outcomes::add(const found_execution& x,
                   const std::vector<const step*>& ends,
                   const std::set<last_writes>& all) {
  const graph& g = x.what;
  std::map<std::size_t, std::vector<last_writes>> by_state;
  last_writes last;
  const auto combine = [&](const auto& self, const last_writes& choices, std::size_t p) -> void {
    if (p == choices.size()) {
      by_state[state_of(x, ends, last)].push_back(last);
      return;
    }
    std::map<std::uint64_t, std::vector<event_id>> by_value;
    for (const event_id w : choices[p]) {
      by_value[is_told(g[w].what.bytes.address) ? g[w].what.value : 0].push_back(w);
    }
    if (by_value.empty()) {
      self(self, choices, p + 1);
    }
    for (const auto& [value, writes] : by_value) {
      last[p] = writes;
      self(self, choices, p + 1);
    }
  };
  for (const last_writes& choices : all) {
    last.assign(choices.size(), {});
    combine(combine, choices, 0);
  }
  found_.again += x.buffered ? 0 : by_state.size() - 1;
  for (const auto& [state, lasts] : by_state) {
    draw(x, found_.states[state].picture);
    if (x.buffered) {
      found_.buffered.back().states.push_back(state);
      continue;
    }
    found_.states[state].by.add([&, &lasts = lasts] {
      std::optional<schedule> shown;
      for (auto w = lasts.begin(); !shown && w != lasts.end(); ++w) {
        shown = witness_of_state(g, ways(x), *w);
      }
      return shown;
    });
  }
}

// --- Findings.

void outcomes::note(const found_execution& x, const finding& f) {
  std::string key =
      f.where.empty()
          ? fmt::format("{} {}", static_cast<int>(f.kind), f.message)
          : fmt::format(
                "{} {}:{}", static_cast<int>(f.kind), f.where.front().file, f.where.front().line);
  const auto [at, is_new] = by_place_.try_emplace(key, found_.findings.size());
  if (is_new) {
    found_.findings.push_back({std::move(key), sim::to_json(f), {}, {}});
  }
  count(x, at->second);
}

/// Once an execution, however often it has it.
void outcomes::count(const found_execution& x, std::size_t finding) {
  if (std::ranges::find(noted_, finding) != noted_.end()) {
    return;
  }
  noted_.push_back(finding);
  draw(x, found_.findings[finding].picture);
  if (x.buffered) {
    found_.buffered.back().findings.push_back(finding);
  } else {
    found_.findings[finding].by.add([&] { return witness_of(x.what, ways(x)); });
  }
}

// [CUDA C++: data races] Executions whose fences may have several orders, and those that take from
// their own future, are looked at by the page.
std::set<outcomes::last_writes> outcomes::look_for_races(const found_execution& x) {
  const graph& g = x.what;
  std::set<last_writes> all;
  std::optional<copy_order> copies;
  if (threads_.some_copies()) {
    copies.emplace(g, ways(x));
  }
  if (x.buffered || g.sc_fences() > 1) {
    std::set<std::pair<event_id, event_id>> told;
    const auto look = [&](const graph::judged& j) {
      std::vector<event_id> back(j.what.events.size(), memmodel::no_event);
      for (event_id e = 0; e < j.shown.size(); ++e) {
        back[j.shown[e]] = e;
      }
      memmodel::races(j.derived).for_each([&](event_id a, event_id b) {
        if (a < b && !(copies && copies->apart(back[a], back[b])) &&
            told.emplace(back[a], back[b]).second) {
          note_race(x, back[a], back[b]);
        }
      });
      if (copies) {
        look_for_races_of_copies(x, *copies, [&](event_id a, event_id b) {
          return j.derived.base(j.shown[a], j.shown[b]) || j.derived.cause(j.shown[a], j.shown[b]);
        });
      }
      all.insert(
          last_of(g, [&](event_id w, event_id v) { return j.derived.co(j.shown[w], j.shown[v]); }));
      return true;
    };
    // Of asynchronous copies the page does not know that they are others' accesses.
    g.judge(look, copies ? memmodel::fence_orders::all : memmodel::fence_orders::telling);
    return all;
  }
  for_each_conflict(g, [&](event_id a, event_id b) {
    if (!g.morally_strong(a, b) && !g.causes(a, b) && !g.causes(b, a) &&
        !(copies && copies->apart(a, b))) {
      note_race(x, a, b);
    }
  });
  if (copies) {
    look_for_races_of_copies(
        x, *copies, [&](event_id a, event_id b) { return g.causal(a, b) || g.causes(a, b); });
  }
  all.insert(
      last_of(g, [&](event_id w, event_id v) { return graph::has(g.coherence_past(v), w); }));
  return all;
}

/// Between an asynchronous copy and anything else.
void outcomes::look_for_races_of_copies(const found_execution& x,
                                        const copy_order& copies,
                                        const copy_order::order& causal) {
  for_each_conflict(x.what, [&](event_id a, event_id b) {
    if (copies.apart(a, b) && !copies.before(a, b, causal) && !copies.before(b, a, causal)) {
      note_race(x, a, b);
    }
  });
}

void outcomes::note_race(const found_execution& x, event_id earlier, event_id later) {
  const event& a = x.what[earlier].what;
  const event& b = x.what[later].what;
  const std::size_t a_step = step_of(x.what[earlier].tag);
  const std::size_t b_step = step_of(x.what[later].tag);
  const step& first = threads_.at(a.thread, x.values[a.thread], a_step);
  const step& second = threads_.at(b.thread, x.values[b.thread], b_step);
  const launch_state& launch = threads_.runs().launch(b.thread);
  const launch_state& other_launch = threads_.runs().launch(a.thread);
  const bool duplicate = a.thread == b.thread && a_step == b_step;
  const auto who = [&](const event& e, const step& s) {
    return (s.copy != 0 ? "an asynchronous copy of " : "") + by(e.thread);
  };
  // An asynchronous copy is somebody else than the thread that asked for it.
  const bool of_one_order = a.thread == b.thread && first.copy == 0 && second.copy == 0;
  const finding_kind kind = duplicate                  ? finding_kind::duplicate_store
                            : a.strong() && b.strong() ? finding_kind::narrow_scope
                            : of_one_order             ? finding_kind::token_race
                                                       : finding_kind::data_race;
  const auto [at, is_new] = races_.try_emplace({std::min(first.site, second.site),
                                                std::max(first.site, second.site),
                                                static_cast<int>(kind)},
                                               found_.findings.size());
  if (is_new) {
    const bool one_launch = &launch == &other_launch;
    finding_text f{.kind = kind, .group = place(first.site)};
    f.other = duplicate ? nullptr : first.site;
    if (duplicate) {
      say_duplicate(f, a, b);
    } else if (kind == finding_kind::token_race) {
      say_token_race(f, verb(second, b), verb(first, a), by(b.thread));
    } else {
      f.message =
          fmt::format("{} by {} and {} by {}: {}",
                      verb(second, b),
                      who(b, second),
                      verb(first, a),
                      who(a, first),
                      kind == finding_kind::narrow_scope ? "block scope holds one of them only"
                                                         : "nothing orders them");
      f.remedy = remedy(kind,
                        {.two_launches = !one_launch,
                         .one_block = one_launch && block_of(a.thread) == block_of(b.thread),
                         .one_warp = one_launch && are_lanes(a.thread, b.thread),
                         .copies = first.copy != 0 || second.copy != 0});
    }
    f.details.push_back(fmt::format("both are at {}", describe_address(context_, a.bytes.address)));
    if (!one_launch) {
      f.details.push_back(fmt::format("the one is launched at {}, the other at {}",
                                      place_and_helper(launch.site),
                                      place_and_helper(other_launch.site)));
    }
    found_.findings.push_back({fmt::format("race {}", fmt::join(at->first, " ")),
                               sim::to_json(resolved(second.site, std::move(f))),
                               {},
                               {}});
  }
  count(x, at->second);
}

// --- Threads that go no further.

void outcomes::blocked(const found_execution& x) {
  noted_.clear();
  const std::vector<thread_way> all = ways(x);
  bool ends = false;
  for (const thread_way& way : all) {
    ends = ends || way.steps.back()->stopped;
  }
  static_cast<void>(look_for_races(x));
  if (ends) {
    ++found_.stopped;
    for (const thread_way& way : all) {
      for (const step* s : way.steps) {
        for (const finding& f : s->found) {
          note(x, f);
        }
      }
    }
    return;
  }
  refuse_barriers_left(all);
  if (waits_for_ever(x, all)) {
    note_deadlock(x, all);
  }
}

/// A barrier does not wait for threads that have ended; an explored one does.
void outcomes::refuse_barriers_left(const std::vector<thread_way>& all) const {
  const auto block_of = [&](memmodel::thread_id t) {
    const launch_state& l = threads_.runs().launch(t);
    return std::pair(l.id, threads_.runs().linear(t) / l.threads_per_block);
  };
  for (memmodel::thread_id t = 0; t < all.size(); ++t) {
    const step& here = *all[t].steps.back();
    for (memmodel::thread_id u = 0; meets(here) && u < all.size(); ++u) {
      if (all[u].steps.back()->what->kind == memmodel::explore::step_kind::end &&
          block_of(t) == block_of(u)) {
        throw memmodel::explore::not_explored{fmt::format(
            "{} waits at {} for a thread of its block that has ended", by(t), place(here.site))};
      }
    }
  }
}

/// Whether each that waits has read, all round, values that no other can follow: who has read an
/// older one is given the newer some time.
bool outcomes::waits_for_ever(const found_execution& x, const std::vector<thread_way>& all) {
  const graph& g = x.what;
  for (event_id r = 0; r < g.size(); ++r) {
    const memmodel::graph_event& it = g[r];
    const step* const last = all[it.what.thread].steps.back();
    if (!it.what.is_read() || last->waits_from == nullptr ||
        step_of(it.tag) < last->waits_from->number) {
      continue;
    }
    const event_id from = it.source[0];
    for (const event_id w : g.of_place(it.place)) {
      if (w != from && g[w].what.is_write() && g[w].what.value != it.what.value &&
          (from >= memmodel::initial_write || !graph::has(g.coherence_past(from), w))) {
        return false;
      }
    }
  }
  return true;
}

} // namespace tilesim::sim::exploring
