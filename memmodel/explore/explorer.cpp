// Every execution that a model allows, once: the recursion.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/explore/explorer.hpp"

#include "memmodel/assertion.hpp"
#include "memmodel/explore/part_of_all.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tilesim::memmodel::explore {
namespace {

constexpr std::uint64_t tag_of(std::size_t instruction, std::size_t element) {
  return std::uint64_t{instruction} << 32U | element;
}
bool reads(step_kind k) {
  return k == step_kind::load || k == step_kind::update;
}

} // namespace

explorer::explorer(threads& program, const settings& s)
    : program_(program)
    , settings_(s)
    , where_(program.places())
    , only_reads_(program.only_reads()) {
  // [Lamport 1979] Sequential consistency has no load buffering. What is promised and which reads
  // settle it are known of all executions together, so not of some.
  settings_.load_buffering =
      s.load_buffering && !s.judge->total_coherence && !s.most_stale.has_value();
}

bool explorer::run(const sink& f) {
  return run(f, {});
}

bool explorer::run(const sink& f, const sink& g) {
  if (run_part(pass::plain, {}, f, g, {}).ended) {
    return false;
  }
  return !promisable_ || !apart_ || !run_part(pass::buffering, {}, f, g, {}).ended;
}

std::unique_ptr<explorer::state> explorer::fresh() const {
  return std::make_unique<state>(state{
      graph(*settings_.judge, places_, where_), std::vector<thread_part>(where_.size()), {}, 1});
}

std::unique_ptr<explorer::state> explorer::spare() {
  if (spare_.empty()) {
    return fresh();
  }
  std::unique_ptr<state> s = std::move(spare_.back());
  spare_.pop_back();
  return s;
}

/// The next event in all ways, and what follows from each; false: the sink has ended it.
bool explorer::enter(state& s) {
  // Instructions that are begun here are forgotten again: what follows elsewhere may differ.
  std::vector<thread_id> begun;
  bool go_on = true;
  bool moved = false;
  for (thread_id t = 0; t < where_.size() && !moved; ++t) {
    thread_part& part = s.threads[t];
    while (part.code.empty() || part.code.back().left == 0) {
      begin(s, t);
      begun.push_back(t);
    }
    const running& r = part.code.back();
    if (r.what->kind == step_kind::end || r.what->kind == step_kind::stuck) {
      continue;
    }
    std::vector<event_id> arrivals;
    if (r.what->kind == step_kind::barrier && r.what->waits && r.left == 1 &&
        !may_depart(s, t, arrivals)) {
      continue;
    }
    if (r.what->awaits && !written_to(s, r)) {
      continue;
    }
    moved = true;
    go_on = choose(s, t);
  }
  if (!moved) {
    go_on = complete(s);
  }
  for (const thread_id t : begun) {
    thread_part& part = s.threads[t];
    part.values.resize(part.code.back().first_read);
    part.reads.resize(part.code.back().first_read);
    part.code.pop_back();
  }
  return go_on;
}

/// One access after the other: a read may come behind what its thread writes beside it, in an order
/// that nobody tries here.
void explorer::refuse_beside(const thread_part& part, const instruction& i) const {
  if (i.beside == nullptr || !settings_.judge->total_coherence ||
      (i.kind != step_kind::store && i.kind != step_kind::update)) {
    return;
  }
  for (const running& r : part.code) {
    if (reads(r.what->kind) && std::ranges::binary_search(*i.beside, r.what->number)) {
      throw not_explored{"under sc, a write that no token orders behind an earlier read of its "
                         "block (--model ptx explores it)"};
    }
  }
}

/// Whether what the next element of a load waits for has been written.
bool explorer::written_to(const state& s, const running& r) {
  std::size_t e = 0;
  while (r.elements[e].at == progress::step::done) {
    ++e;
  }
  return std::ranges::any_of(s.g.of_place(r.what->elements[e].place),
                             [&](event_id x) { return s.g[x].what.is_write(); });
}

void explorer::begin(state& s, thread_id t) {
  thread_part& part = s.threads[t];
  running r;
  r.what = program_.next(t, part.values, part.code.size());
  refuse_beside(part, *r.what);
  r.elements.resize(r.what->elements.size());
  for (const element& e : r.what->elements) {
    if (e.place == no_place) {
      e.place = places_.of(e.bytes);
    }
  }
  r.left = steps_of(r);
  r.first_read = part.values.size();
  if (reads(r.what->kind)) {
    part.values.resize(r.first_read + r.elements.size());
    part.reads.resize(r.first_read + r.elements.size(), no_event);
  }
  part.code.push_back(std::move(r));
}

bool explorer::step(state& s, thread_id t) {
  running& r = s.threads[t].code.back();
  switch (r.what->kind) {
  case step_kind::fence:
    return step_fence(s, t);
  case step_kind::barrier:
    return r.left == (r.what->waits ? 2U : 1U) ? arrive(s, t) : depart(s, t);
  default:
    break;
  }
  std::size_t e = 0;
  while (r.elements[e].at == progress::step::done) {
    ++e;
  }
  return r.elements[e].at == progress::step::nothing && reads(r.what->kind) ? step_read(s, t, e)
                                                                            : step_write(s, t, e);
}

event explorer::label(const running& r, thread_id t, std::size_t e, event_kind kind) {
  event out;
  out.thread = t;
  out.instruction = r.what->number;
  out.beside = r.what->beside;
  out.kind = kind;
  const bool half = kind == event_kind::write && r.what->kind == step_kind::update;
  out.order = half ? r.what->write_order : r.what->order;
  out.scope = r.what->scope;
  out.reduction = r.what->reduction && kind == event_kind::read;
  if (kind == event_kind::read || kind == event_kind::write) {
    out.element = r.what->elements[e].number;
    out.bytes = r.what->elements[e].bytes;
  }
  return out;
}

std::vector<event_id> explorer::dependencies(const state& s, thread_id t, read_set d) {
  std::vector<event_id> out;
  for (; d != 0; d &= d - 1) {
    out.push_back(s.threads[t].reads[static_cast<std::size_t>(__builtin_ctzll(d))]);
  }
  return out;
}

std::uint64_t explorer::value_from(const state& s, const event& read, const byte_sources& from) {
  const auto of = [&](event_id w, std::uint32_t b) -> std::uint64_t {
    const byte_range byte{read.bytes.address + b, 1};
    return w == initial_write
               ? program_.initial(byte)
               : s.g[w].what.value >> (8 * (byte.address - s.g[w].what.bytes.address)) & 0xffU;
  };
  const event_id all = from[0];
  if (all < initial_write && s.g[all].what.bytes == read.bytes) {
    return s.g[all].what.value;
  }
  std::uint64_t value = 0;
  for (std::uint32_t b = 0; b < read.bytes.size; ++b) {
    value |= of(from[b], b) << (8 * b);
  }
  return value;
}

void explorer::feed(
    state& s, thread_id t, std::size_t instruction, std::size_t e, std::uint64_t value) {
  thread_part& part = s.threads[t];
  running& r = part.code[instruction];
  part.values[r.first_read + e] = value;
  part.reads[r.first_read + e] = static_cast<event_id>(s.g.size() - 1);
  progress& p = r.elements[e];
  p.writes = false;
  if (r.what->kind == step_kind::update) {
    const auto half = program_.modified(
        t, std::span(part.values).first(r.first_read), instruction, *r.what, e, value);
    p.writes = half.has_value();
    p.half = half.value_or(written{});
  }
  p.at = p.writes ? progress::step::read : progress::step::done;
  r.left -= p.writes ? 0U : 1U;
}

/// The read of element e takes `value`, which lies at `from`, where it may.
bool explorer::take(
    state& s, thread_id t, std::size_t e, const byte_sources& from, std::uint64_t value) {
  const std::size_t i = s.threads[t].code.size() - 1;
  running& r = s.threads[t].code[i];
  event what = label(r, t, e, event_kind::read);
  what.value = value;
  if (!s.g.add_read(
          what, r.what->elements[e].place, from, dependencies(s, t, r.what->elements[e].depends))) {
    ++counts_.refused;
    return true;
  }
  s.g.mark_last(s.next_stamp++, tag_of(i, e));
  const std::size_t left = r.left;
  feed(s, t, i, e, value);
  const bool go_on = visit(s);
  running& again = s.threads[t].code[i];
  again.elements[e].at = progress::step::nothing;
  again.left = left;
  s.g.remove_last();
  return go_on;
}

bool explorer::step_read(state& s, thread_id t, std::size_t e) {
  const running& r = s.threads[t].code.back();
  const event what = label(r, t, e, event_kind::read);
  const place_number p = r.what->elements[e].place;
  std::vector<byte_sources> choices;
  choices.reserve(s.g.of_place(p).size() + 1);
  for (const event_id w : s.g.of_place(p)) {
    if (s.g[w].what.is_write()) {
      choices.push_back(all_from(w));
    }
  }
  const instruction& i = *r.what;
  if (!i.awaits) {
    choices.push_back(all_from(initial_write));
  }
  std::vector<std::uint64_t> promised;
  if (i.awaits) {
    promised.clear();
  } else if (settings_.load_buffering && !first_pass_) {
    promised = program_.promises(t, first_promising(t), i, i.elements[e]);
  } else if (settings_.load_buffering && !promisable_) {
    promisable_ = !program_.promises(t, first_promising(t), i, i.elements[e]).empty();
  }
  const part_of_all share(weight_, covered_, choices.size() + promised.size());
  for (const byte_sources& from : choices) {
    if (!take(s, t, e, from, value_from(s, what, from))) {
      return false;
    }
    share.one_done();
  }
  for (const std::uint64_t value : promised) {
    if (enough_writes(s, t, what, value)) {
      s.promised.push_back(static_cast<event_id>(s.g.size()));
      const bool go_on = take(s, t, e, all_from(no_event), value);
      s.promised.pop_back();
      if (!go_on) {
        return false;
      }
    }
    share.one_done();
  }
  return true;
}

/// The last event of the graph, a write, wherever it may stand.
bool explorer::place_write(state& s) {
  const std::size_t words = s.g.words();
  bit_set placings; // one after the other
  s.g.for_each_placing([&](graph::bits after) {
    placings.insert(placings.end(), after.begin(), after.end());
    return true;
  });
  bool some = false;
  const part_of_all share(weight_, covered_, placings.size() / words);
  for (std::size_t i = 0; i < placings.size(); i += words) {
    const graph::bits after(placings.data() + i, words);
    if (in_symmetric_order(s, after) && s.g.place_last(after)) {
      some = true;
      const bool go_on = visit(s);
      s.g.displace_last();
      if (!go_on) {
        return false;
      }
    }
    share.one_done();
  }
  counts_.refused += some ? 0U : 1U;
  return true;
}

event_id explorer::begin_write(state& s, thread_id t, std::size_t e) {
  const std::size_t i = s.threads[t].code.size() - 1;
  const running& r = s.threads[t].code[i];
  const bool half = r.what->kind == step_kind::update;
  const written& made = half ? r.elements[e].half : r.what->elements[e].store;
  event what = label(r, t, e, event_kind::write);
  what.value = made.value;
  const event_id w = s.g.begin_write(what,
                                     r.what->elements[e].place,
                                     half ? s.threads[t].reads[r.first_read + e] : no_event,
                                     dependencies(s, t, made.depends));
  s.g.mark_last(s.next_stamp++, tag_of(i, e));
  return w;
}

bool explorer::step_write(state& s, thread_id t, std::size_t e) {
  const event_id w = begin_write(s, t, e);
  const std::size_t i = s.threads[t].code.size() - 1;
  running& r = s.threads[t].code[i];

  const bit_set past = past_of(s, w);
  std::vector<event_id> earlier;
  earlier.reserve(s.g.of_place(r.what->elements[e].place).size());
  for (const event_id x : s.g.of_place(r.what->elements[e].place)) {
    const graph_event& read = s.g[x];
    // What was promised stays so.
    if (read.what.is_read() && read.source[0] != no_event && !graph::has(past, x)) {
      earlier.push_back(x);
    }
  }
  const part_of_all share(weight_, covered_, earlier.size() + 1);
  std::uint64_t older_of = ~std::uint64_t{0};
  for (const event_id x : earlier) {
    if (older_of != visits_) { // what has been visited meanwhile has others
      find_older(s, w);
      older_of = visits_;
    }
    if (!revisit(s, w, x, past)) {
      return false;
    }
    share.one_done();
  }

  const auto before = r.elements[e].at;
  r.elements[e].at = progress::step::done;
  --r.left;
  const bool go_on = place_write(s);
  running& again = s.threads[t].code[i];
  again.elements[e].at = before;
  ++again.left;
  s.g.remove_last();
  return go_on;
}

bool explorer::visit_behind(state& s, thread_id t, std::size_t i, std::size_t element) {
  s.g.mark_last(s.next_stamp++, tag_of(i, element));
  s.threads[t].code[i].left = 0;
  const bool go_on = visit(s);
  s.threads[t].code[i].left = 1;
  s.g.remove_last();
  return go_on;
}

bool explorer::step_fence(state& s, thread_id t) {
  const std::size_t i = s.threads[t].code.size() - 1;
  if (!s.g.add_fence(label(s.threads[t].code[i], t, 0, event_kind::fence))) {
    ++counts_.refused;
    return true;
  }
  return visit_behind(s, t, i, 0);
}

// --- Barriers: a thread's n-th arrival meets the others' n-th.

std::uint32_t explorer::instance_of(const state& s, thread_id t) {
  const thread_part& part = s.threads[t];
  const std::uint64_t key = part.code.back().what->barrier;
  const auto nth = std::count_if(part.code.begin(), part.code.end() - 1, [&](const running& r) {
    return r.what->kind == step_kind::barrier && r.what->barrier == key;
  });
  return instances_
      .try_emplace({key, static_cast<std::uint32_t>(nth)},
                   static_cast<std::uint32_t>(instances_.size() + 1))
      .first->second;
}

bool explorer::may_depart(const state& s, thread_id t, std::vector<event_id>& arrivals) {
  const std::uint32_t instance = instance_of(s, t);
  for (thread_id other = 0; other < where_.size(); ++other) {
    for (const event_id e : s.g.of_thread(other)) {
      const graph_event& it = s.g[e];
      if (it.what.kind == event_kind::barrier && it.what.instance == instance &&
          (it.half == no_event || it.half > e)) {
        arrivals.push_back(e);
      }
    }
  }
  const std::uint32_t expected = s.threads[t].code.back().what->expected;
  if (arrivals.size() > expected) {
    throw not_explored{
        fmt::format("{} threads come to a barrier that {} complete", arrivals.size(), expected)};
  }
  return arrivals.size() == expected;
}

/// False: the model does not allow it.
bool explorer::add_meeting(state& s, thread_id t, bool departs) {
  std::vector<event_id> arrivals;
  event what = label(s.threads[t].code.back(), t, 0, event_kind::barrier);
  what.instance = instance_of(s, t);
  what.waits = departs;
  if (!departs) {
    s.g.add_arrival(what);
  }
  static_cast<void>(may_depart(s, t, arrivals)); // more than complete it?
  return !departs || s.g.add_departure(what, arrivals);
}

bool explorer::arrive(state& s, thread_id t) {
  const std::size_t i = s.threads[t].code.size() - 1;
  static_cast<void>(add_meeting(s, t, false));
  s.g.mark_last(s.next_stamp++, tag_of(i, 0));
  --s.threads[t].code[i].left;
  const bool go_on = visit(s);
  ++s.threads[t].code[i].left;
  s.g.remove_last();
  return go_on;
}

bool explorer::depart(state& s, thread_id t) {
  const std::size_t i = s.threads[t].code.size() - 1;
  if (!add_meeting(s, t, true)) {
    ++counts_.refused;
    return true;
  }
  return visit_behind(s, t, i, 1);
}

// --- Ends.

bool explorer::complete(state& s) {
  if (deepest_ != 0) {
    rest_.emplace_back();
    return true;
  }
  some_end_ = true;
  apart_ = apart_ || !settings_.load_buffering || !one_place(s);
  for (const thread_part& part : s.threads) {
    if (part.code.back().what->kind != step_kind::end) {
      counts_.stuck += first_pass_ || !s.promised.empty() ? 1U : 0U;
      return blocked_ == nullptr || !first_pass_ || !s.promised.empty() ||
             (*blocked_)(described(s, false));
    }
  }
  if (!s.promised.empty()) {
    return resolve(s, 0);
  }
  return !first_pass_ || found(s, false);
}

bool explorer::found(const state& s, bool buffered, const execution_name& name) {
  ++counts_.executions;
  counts_.buffered += buffered ? 1U : 0U;
  found_execution x = described(s, buffered);
  x.name = name;
  return (*sink_)(x);
}

found_execution explorer::described(const state& s, bool buffered) {
  found_execution x{s.g, {}, {}, buffered, {}};
  for (const thread_part& part : s.threads) {
    x.values.emplace_back(part.values);
    x.performed.push_back(part.code.size() - 1); // but the end
  }
  return x;
}

} // namespace tilesim::memmodel::explore
