// The reference enumerator: every execution of a litmus test that a model allows.
//
// Choices are made in the order traces, barrier instances, reads-from, fences, coherence. After
// each the axioms judge the candidate with what is still open left out: they are anti-monotone, so
// a candidate that breaks one now breaks it however the rest is chosen.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/litmus/enumerate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <tuple>

namespace tilesim::memmodel::litmus {

std::vector<observable> all_observables(const test& t) {
  std::vector<observable> all;
  for (std::uint32_t p = 0; p < t.threads.size(); ++p)
    for (std::uint32_t r = 0; r < t.threads[p].registers.size(); ++r)
      for (std::uint32_t e = 0; e < t.threads[p].widths[r]; ++e)
        all.push_back({p, r, e});
  for (std::uint32_t l = 0; l < t.locations.size(); ++l)
    for (std::uint32_t e = 0; e < t.locations[l].initial.size(); ++e)
      all.push_back({std::nullopt, l, e});
  return all;
}

bool satisfies(const condition& c,
               const std::vector<value>& final,
               const std::function<std::size_t(const observable&)>& index) {
  const auto side = [&](const condition::side& s) {
    return s.variable ? final[index(*s.variable)] : s.constant;
  };
  const auto part = [&](const condition& p) { return satisfies(p, final, index); };
  switch (c.what) {
  case condition::kind::always:
    return true;
  case condition::kind::compare:
    return apply(c.comparison, side(c.left), side(c.right)) != 0;
  case condition::kind::conjunction:
    return std::ranges::all_of(c.parts, part);
  case condition::kind::disjunction:
    return std::ranges::any_of(c.parts, part);
  case condition::kind::negation:
    return !part(c.parts.front());
  }
  return false;
}

namespace {

/// Where the bytes of one read may come from.
using byte_sources = std::array<event_id, 8>;

class search {
public:
  search(const test& t, const model& m, const limits& l)
      : test_(t)
      , model_(m)
      , limits_(l) {}

  /// A complete candidate that satisfies all axioms.
  std::function<void(const execution&, const relations&)> on_consistent;
  /// A candidate that breaks one. Set: candidates are judged only once every read has its source.
  std::function<void(const execution&, const broken_axiom&)> on_broken;
  /// Whether candidates of these traces are wanted at all.
  std::function<bool(const std::vector<const trace*>&)> wanted;

  std::vector<const trace*> chosen; ///< by thread
  std::vector<std::uint32_t> code;  ///< by event
  std::uint32_t initial_events = 0;

  void run(const thread_traces& traces) {
    possible_.assign(traces.of.size() + 1, {});
    for (std::size_t p = traces.of.size(); p-- > 0;) {
      possible_[p] = possible_[p + 1];
      for (const trace& tr : traces.of[p])
        for (const trace_event& e : tr.events)
          if (e.what.is_write())
            possible_[p].add(e.what.bytes, e.what.value);
    }
    choose_trace(traces, 0, initial_memory());
  }

private:
  [[nodiscard]] possible_values initial_memory() const {
    possible_values memory;
    for (const location& l : test_.locations)
      for (std::size_t i = 0; i < l.initial.size(); ++i)
        memory.add({l.address + i * l.type.size, l.type.size},
                   static_cast<std::uint64_t>(narrow(l.initial[i], {l.type.size, false})));
    return memory;
  }

  // --- Traces: a read's value must be written by somebody.

  void choose_trace(const thread_traces& traces, std::size_t p, const possible_values& written) {
    if (p == traces.of.size()) {
      if (!wanted || wanted(chosen))
        build();
      return;
    }
    for (const trace& tr : traces.of[p]) {
      count();
      chosen.push_back(&tr);
      possible_values now = written;
      for (const trace_event& e : tr.events)
        if (e.what.is_write())
          now.add(e.what.bytes, e.what.value);
      if (readable(now, p + 1))
        choose_trace(traces, p + 1, now);
      chosen.pop_back();
    }
  }

  [[nodiscard]] bool readable(const possible_values& written, std::size_t later) const {
    for (const trace* tr : chosen)
      for (const trace_event& e : tr->events)
        if (e.what.is_read() && !written.may_hold(e.what.bytes, e.what.value) &&
            !possible_[later].may_hold(e.what.bytes, e.what.value))
          return false;
    return true;
  }

  // --- Events and what the threads fix about them.

  void build() {
    std::size_t n = 0;
    for (const location& l : test_.locations)
      n += l.initial.size();
    initial_events = static_cast<std::uint32_t>(n);
    for (const trace* tr : chosen)
      n += tr->events.size();
    x_ = execution(n);
    code.assign(n, 0);
    for (const thread& t : test_.threads)
      x_.threads.push_back(t.place);
    event_id next = 0;
    for (std::uint32_t l = 0; l < test_.locations.size(); ++l)
      for (std::size_t i = 0; i < test_.locations[l].initial.size(); ++i) {
        const location& loc = test_.locations[l];
        event& e = x_.events[next];
        e.kind = event_kind::write;
        e.element = static_cast<std::uint32_t>(i);
        e.bytes = {loc.address + i * loc.type.size, loc.type.size};
        e.value = static_cast<std::uint64_t>(narrow(loc.initial[i], {loc.type.size, false}));
        code[next++] = l;
      }
    first_of_.clear();
    for (std::uint32_t p = 0; p < chosen.size(); ++p) {
      first_of_.push_back(next);
      next = add_thread(p, next);
    }
    choose_barriers();
  }

  event_id add_thread(std::uint32_t p, event_id first) {
    const std::vector<trace_event>& events = chosen[p]->events;
    std::vector<event_id> reads;
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      const event_id id = first + i;
      const trace_event& t = events[i];
      event& e = x_.events[id] = t.what;
      e.thread = p;
      code[id] = t.code;
      for (std::uint32_t j = 0; j < i; ++j)
        if (events[j].what.instruction < e.instruction)
          x_.po.add(first + j, id);
      if (t.write_half) {
        x_.rmw.add(id - 1, id);
        x_.po.add(id - 1, id);
      }
      depend(x_.addr, reads, t.addr, id);
      depend(x_.data, reads, t.data, id);
      depend(x_.ctrl, reads, t.ctrl, id);
      if (e.is_read())
        reads.push_back(id);
    }
    return first + static_cast<event_id>(events.size());
  }
  static void depend(relation& r, const std::vector<event_id>& reads, read_set on, event_id id) {
    for (std::size_t i = 0; i < reads.size(); ++i)
      if ((on >> i & 1U) != 0 && reads[i] != id)
        r.add(reads[i], id);
  }

  // --- Barriers: which arrivals complete together.

  /// One barrier of one block.
  struct barrier {
    std::vector<event_id> arrivals; ///< by thread, then in program order
    std::size_t quorum = 0;         ///< threads that complete it
  };

  void choose_barriers() {
    // Threads of other blocks have barriers of their own.  [PTX: barrier]
    using key = std::tuple<std::int32_t, std::int32_t, std::int32_t, barrier_name>;
    std::map<key, barrier> barriers;
    std::map<key, std::set<std::uint32_t>> comers;
    for (std::uint32_t p = 0; p < chosen.size(); ++p) {
      const place& at = x_.threads[p];
      for (const barrier_name& name : chosen[p]->barriers)
        comers[{at.gpu, at.cluster, at.cta, name}].insert(p);
      for (std::uint32_t i = 0; i < chosen[p]->events.size(); ++i)
        if (const trace_event& e = chosen[p]->events[i]; e.what.kind == event_kind::barrier)
          barriers[{at.gpu, at.cluster, at.cta, e.barrier}].arrivals.push_back(first_of_[p] + i);
    }
    std::vector<barrier> all;
    for (auto& [name, b] : barriers) {
      const value threads = std::get<barrier_name>(name).threads;
      b.quorum = threads > 0 ? static_cast<std::size_t>(threads) : comers[name].size();
      all.push_back(std::move(b));
    }
    completions_.clear();
    complete(all, 0, 1);
  }

  /// Forms the instances of all[which...]; `instance` is the next number.
  void complete(const std::vector<barrier>& all, std::size_t which, std::uint32_t instance) {
    if (which == all.size()) {
      judge_barriers();
      return;
    }
    std::set<event_id> open(all[which].arrivals.begin(), all[which].arrivals.end());
    form(all, which, instance, instance, open);
  }

  /// Every choice of the next instance among the next arrivals of each thread: at least a quorum of
  /// them, for those that come before the barrier is complete count as well.
  void form(const std::vector<barrier>& all,
            std::size_t which,
            std::uint32_t first,
            std::uint32_t instance,
            const std::set<event_id>& open) {
    std::vector<event_id> next; // of each thread
    for (const event_id e : open)
      if (next.empty() || x_.events[next.back()].thread != x_.events[e].thread)
        next.push_back(e);
    const std::size_t quorum = all[which].quorum;
    if (next.size() < quorum) {
      for (const event_id e : open) {
        x_.events[e].instance = 0;
        x_.events[e].late = false;
      }
      attach(all, which, first, instance, {open.begin(), open.end()});
      return;
    }
    if (next.size() > 16)
      throw limit_reached{"more than 16 threads at a barrier with a thread count"};
    for (std::uint32_t set = 1; set < (1U << next.size()); ++set) {
      if (static_cast<std::size_t>(std::popcount(set)) < quorum)
        continue;
      std::set<event_id> rest = open;
      for (std::size_t i = 0; i < next.size(); ++i)
        if ((set >> i & 1U) != 0) {
          x_.events[next[i]].instance = instance;
          x_.events[next[i]].late = false;
          rest.erase(next[i]);
        }
      form(all, which, first, instance + 1, rest);
    }
  }

  /// What is left is too few for an instance: it comes late to one that its thread took no part in,
  /// or waits for ever.
  void attach(const std::vector<barrier>& all,
              std::size_t which,
              std::uint32_t first,
              std::uint32_t instance,
              std::vector<event_id> left) {
    if (left.empty()) {
      complete(all, which + 1, instance);
      return;
    }
    const event_id e = left.back();
    left.pop_back();
    bool attached = false;
    for (std::uint32_t i = first; i < instance; ++i)
      if (std::ranges::none_of(all[which].arrivals, [&](event_id other) {
            return x_.events[other].instance == i && x_.events[other].thread == x_.events[e].thread;
          })) {
        attached = true;
        x_.events[e].instance = i;
        x_.events[e].late = true;
        attach(all, which, first, instance, left);
      }
    x_.events[e].instance = 0;
    x_.events[e].late = false;
    if (!attached)
      attach(all, which, first, instance, left);
  }

  /// Whether every wait ends as the traces say: those of a waiting thread's last event do not, all
  /// others do.
  void judge_barriers() {
    if (!first_time())
      return;
    // A thread goes on past a wait when all that complete its instance have arrived.
    std::vector<std::size_t> done(chosen.size(), 0); // events that the thread has performed
    for (bool progress = true; progress;) {
      progress = false;
      for (std::uint32_t p = 0; p < chosen.size(); ++p)
        while (done[p] < chosen[p]->events.size() &&
               may_pass(first_of_[p] + static_cast<event_id>(done[p]), done)) {
          ++done[p];
          progress = true;
        }
    }
    for (std::uint32_t p = 0; p < chosen.size(); ++p) {
      const std::size_t expected =
          chosen[p]->events.size() - (chosen[p]->end == trace_end::waiting ? 1 : 0);
      if (done[p] != expected)
        return;
    }
    judge_start();
  }

  [[nodiscard]] bool may_pass(event_id e, const std::vector<std::size_t>& done) const {
    const event& wait = x_.events[e];
    if (wait.kind != event_kind::barrier || !wait.waits)
      return true;
    if (wait.instance == 0)
      return false;
    for (event_id other = initial_events; other < x_.events.size(); ++other) {
      const event& o = x_.events[other];
      if (o.kind == event_kind::barrier && o.instance == wait.instance && !o.late &&
          first_of_[o.thread] + done[o.thread] < other)
        return false;
    }
    return true;
  }

  /// Instances that differ in their numbers only are one choice.
  bool first_time() {
    std::vector<std::pair<event_id, bool>> names;
    std::map<std::uint32_t, event_id> first;
    for (event_id e = initial_events; e < x_.events.size(); ++e)
      if (const event& b = x_.events[e]; b.kind == event_kind::barrier)
        names.emplace_back(
            b.instance == 0 ? no_event : first.try_emplace(b.instance, e).first->second, b.late);
    return completions_.insert(std::move(names)).second;
  }

  // --- Reads-from, fences, coherence.

  void judge_start() {
    relations r(x_);
    sources_.clear();
    reads_.clear();
    for (event_id e = initial_events; e < x_.events.size(); ++e)
      if (x_.events[e].is_read()) {
        reads_.push_back(e);
        sources_.push_back(possible_sources(e));
        if (sources_.back().empty())
          return;
      }
    choose_source(r, 0);
  }

  /// The ways in which a read can have got its value. One write for all bytes, unless a write
  /// overlaps it in part.
  [[nodiscard]] std::vector<byte_sources> possible_sources(event_id read) const {
    const event& r = x_.events[read];
    std::vector<byte_sources> out;
    byte_sources none;
    none.fill(no_event);
    std::vector<event_id> writes;
    bool partial = false;
    for (event_id w = 0; w < x_.events.size(); ++w)
      if (x_.events[w].is_write() && overlap(x_.events[w].bytes, r.bytes) && !x_.rmw(read, w)) {
        writes.push_back(w);
        partial |= !x_.events[w].initial() && x_.events[w].bytes != r.bytes;
      }
    if (partial) {
      mix(read, 0, none, writes, out);
      return out;
    }
    byte_sources initial = none;
    bool same = true;
    for (const event_id w : writes) {
      const event& e = x_.events[w];
      if (!e.initial()) {
        if (e.value == r.value) {
          byte_sources all = none;
          std::fill_n(all.begin(), r.bytes.size, w);
          out.push_back(all);
        }
        continue;
      }
      for (std::uint64_t a = std::max(e.bytes.address, r.bytes.address);
           a < std::min(e.bytes.end(), r.bytes.end());
           ++a) {
        initial[a - r.bytes.address] = w;
        same &= x_.byte_of(w, a) == x_.byte_of(read, a);
      }
    }
    if (same)
      out.push_back(initial);
    return out;
  }

  void mix(event_id read,
           std::uint32_t byte,
           byte_sources so_far,
           const std::vector<event_id>& writes,
           std::vector<byte_sources>& out) const {
    const event& r = x_.events[read];
    if (byte == r.bytes.size) {
      out.push_back(so_far);
      return;
    }
    const std::uint64_t address = r.bytes.address + byte;
    for (const event_id w : writes)
      if (overlap(x_.events[w].bytes, {address, 1}) &&
          x_.byte_of(w, address) == x_.byte_of(read, address)) {
        so_far[byte] = w;
        mix(read, byte + 1, so_far, writes, out);
      }
  }

  /// Partial candidates count from their first run on: combinations of runs may be very many.
  void count() {
    if (++judged_ > limits_.candidates)
      throw limit_reached{fmt::format("more than {} candidates", limits_.candidates)};
  }

  /// False if some axiom is broken already.
  bool judge(relations& r, bool report) {
    count();
    r.add_reads();
    r.add_fences();
    r.add_coherence();
    const auto broken = first_broken(model_, r);
    if (broken && report && on_broken)
      on_broken(x_, *broken);
    return !broken;
  }

  void choose_source(relations& r, std::size_t i) {
    if (i == reads_.size()) {
      if (judge(r, true))
        order_fences(r);
      return;
    }
    for (const byte_sources& from : sources_[i]) {
      for (std::uint32_t b = 0; b < x_.events[reads_[i]].bytes.size; ++b)
        x_.read_byte_from(reads_[i], b, from[b]);
      const bool last = i + 1 == reads_.size();
      if (last || on_broken || judge(r, false))
        choose_source(r, i + 1);
      x_.forget_source(reads_[i]);
    }
  }

  /// Orders the first pair of morally strong sequentially consistent fences that is not ordered,
  /// both ways.
  void order_fences(relations& r) {
    if (model_.fence_order)
      for (event_id a = initial_events; a < x_.events.size(); ++a)
        for (event_id b = a + 1; b < x_.events.size(); ++b)
          if (x_.events[a].is_sc_fence() && x_.events[b].is_sc_fence() && r.ms(a, b) &&
              !x_.sc(a, b) && !x_.sc(b, a)) {
            for (const auto& [p, q] : {std::pair{a, b}, std::pair{b, a}}) {
              x_.sc.add(p, q);
              if (judge(r, true))
                order_fences(r);
              x_.sc.remove(p, q);
            }
            return;
          }
    order_writes(r);
  }

  /// Orders the first pair of writes that must be ordered and is not, both ways.
  void order_writes(relations& r) {
    for (event_id a = initial_events; a < x_.events.size(); ++a)
      for (event_id b = a + 1; b < x_.events.size(); ++b)
        if (r.writes(a, b) && (model_.total_coherence || r.ms(a, b)) && !r.co(a, b) &&
            !r.co(b, a)) {
          for (const auto& [p, q] : {std::pair{a, b}, std::pair{b, a}}) {
            x_.co.add(p, q);
            if (judge(r, true))
              order_writes(r);
            x_.co.remove(p, q);
          }
          return;
        }
    on_consistent(x_, r);
  }

  const test& test_;
  const model& model_;
  const limits& limits_;
  std::vector<possible_values> possible_; ///< by thread: what it and later ones may write
  execution x_;
  std::vector<event_id> first_of_; ///< by thread
  std::vector<event_id> reads_;
  std::vector<std::vector<byte_sources>> sources_;
  std::set<std::vector<std::pair<event_id, bool>>>
      completions_; ///< choices of barrier instances that were judged
  std::uint64_t judged_ = 0;
};

/// The final states of one execution: any coherence-maximal write may be a byte's last.
class final_states {
public:
  final_states(const test& t, const std::vector<observable>& observables)
      : test_(t)
      , observables_(observables) {}

  template <class F>
  void
  for_each(const std::vector<const trace*>& chosen, const execution& x, const relations& r, F f) {
    std::vector<std::vector<value>> choices;
    for (const observable& o : observables_) {
      if (o.thread) {
        const auto& elements = chosen[*o.thread]->registers[o.index];
        choices.push_back({o.element < elements.size() ? elements[o.element] : elements.front()});
      } else {
        choices.push_back(last_values(o, x, r));
      }
    }
    std::vector<value> state(choices.size());
    combine(choices, state, 0, f);
  }

private:
  [[nodiscard]] std::vector<value>
  last_values(const observable& o, const execution& x, const relations& r) const {
    const location& l = test_.locations[o.index];
    const byte_range range{l.address + o.element * l.type.size, l.type.size};
    possible_values memory;
    bool whole = true;
    for (event_id w = 0; w < x.events.size(); ++w)
      whole &= !x.events[w].is_write() || !overlap(x.events[w].bytes, range) ||
               x.events[w].bytes == range;
    for (std::uint32_t i = 0; i < (whole ? 1 : range.size); ++i) {
      const byte_range part = whole ? range : byte_range{range.address + i, 1};
      for (event_id w = 0; w < x.events.size(); ++w) {
        if (!x.events[w].is_write() || !overlap(x.events[w].bytes, part))
          continue;
        bool maximal = true;
        r.co.for_each_successor(w,
                                [&](event_id v) { maximal &= !overlap(x.events[v].bytes, part); });
        if (maximal)
          memory.add(part, whole ? x.events[w].value : x.byte_of(w, part.address));
      }
    }
    std::set<value> distinct;
    for (const possible_value& v : memory.of(range))
      distinct.insert(narrow(static_cast<value>(v.bits), l.type));
    return {distinct.begin(), distinct.end()};
  }

  template <class F>
  static void combine(const std::vector<std::vector<value>>& choices,
                      std::vector<value>& state,
                      std::size_t i,
                      F& f) {
    if (i == choices.size()) {
      f(std::as_const(state));
      return;
    }
    for (const value v : choices[i]) {
      state[i] = v;
      combine(choices, state, i + 1, f);
    }
  }

  const test& test_;
  const std::vector<observable>& observables_;
};

bool finished(const std::vector<const trace*>& chosen) {
  return std::ranges::all_of(chosen, [](const trace* t) { return t->end == trace_end::finished; });
}

/// Whether an execution in which threads spin may go on so for ever: a morally strong read sees
/// every write to its location in the end, so it may not go on reading what another such write
/// follows in coherence order.
bool fair(const std::vector<const trace*>& chosen,
          const execution& x,
          const relations& r,
          std::uint32_t initial) {
  event_id first = initial;
  for (const trace* t : chosen) {
    if (t->end == trace_end::spinning)
      for (auto i = t->last_iteration; i < t->events.size(); ++i) {
        const event_id read = first + i;
        for (event_id w = 0; w < x.events.size(); ++w)
          if (r.fr(read, w) && r.ms(read, w))
            return false;
      }
    first += static_cast<event_id>(t->events.size());
  }
  return true;
}

/// Which of all_observables() a variable is.
class observable_index {
public:
  explicit observable_index(const test& t) {
    for (const thread& p : t.threads) {
      registers_.emplace_back();
      for (const std::uint32_t width : p.widths)
        registers_.back().push_back(std::exchange(next_, next_ + width));
    }
    for (const location& l : t.locations)
      locations_.push_back(std::exchange(next_, next_ + l.initial.size()));
  }
  std::size_t operator()(const observable& o) const {
    return (o.thread ? registers_[*o.thread][o.index] : locations_[o.index]) + o.element;
  }

private:
  std::vector<std::vector<std::size_t>> registers_;
  std::vector<std::size_t> locations_;
  std::size_t next_ = 0;
};

bool has_loops(const test& t) {
  for (const thread& p : t.threads)
    for (std::uint32_t i = 0; i < p.code.size(); ++i)
      if (p.code[i].op == opcode::branch && p.code[i].target <= i)
        return true;
  return false;
}

bool has_waits(const test& t) {
  return std::ranges::any_of(t.threads, [](const thread& p) {
    return std::ranges::any_of(
        p.code, [](const instruction& i) { return i.op == opcode::barrier && i.waits; });
  });
}

shown_execution show(const search& s, const execution& x, const std::vector<value>& final) {
  std::vector<trace_end> ends;
  for (const trace* t : s.chosen)
    ends.push_back(t->end);
  return {x, s.code, final, std::move(ends), std::nullopt};
}

/// Outcomes, races, verdict.
void find_outcomes(const test& t, const limits& l, const thread_traces& traces, result& out) {
  const observable_index index(t);
  search s(t, *out.model, l);
  s.wanted = finished;
  s.on_consistent = [&](const execution& x, const relations& r) {
    const auto race = find_race(r);
    bool counted = false;
    final_states(t, out.observables).for_each(s.chosen, x, r, [&](const std::vector<value>& state) {
      if (t.filter && !satisfies(*t.filter, state, index))
        return;
      counted = true;
      outcome_count& count = out.outcomes[state];
      ++count.executions;
      count.racy |= race.has_value();
      const bool yes = satisfies(t.final, state, index);
      ++(yes ? out.positive : out.negative);
      if (auto& shown = yes ? out.satisfying : out.violating; !shown)
        shown = show(s, x, state);
      if (race && (!out.racing || (race->mixed_size && !out.racing->race->mixed_size))) {
        out.racing = show(s, x, state);
        out.racing->race = race;
      }
    });
    if (!counted)
      return;
    ++out.executions;
    out.racy += race ? 1U : 0U;
    out.mixed_size_race |= race && race->mixed_size && out.model->mixed_sizes_undo;
  };
  s.run(traces);
}

/// Whether some consistent execution goes on for ever, however fair the scheduler.
void find_hangs(const test& t, const limits& l, result& out) {
  if (!has_loops(t) && !has_waits(t)) {
    out.terminates = true;
    return;
  }
  // One more iteration than counts: the first may differ from all later ones in its registers.
  limits longer = l;
  ++longer.bound;
  thread_traces traces = all_traces(t, longer);
  bool unknown = false;
  for (auto& runs : traces.of) {
    std::vector<trace> stuck;
    for (const trace& run : runs) {
      unknown |= run.end == trace_end::cut;
      std::ranges::move(cut_at_waits(run), std::back_inserter(stuck));
    }
    std::erase_if(runs, [](const trace& run) { return run.end == trace_end::cut; });
    std::ranges::move(stuck, std::back_inserter(runs));
  }
  search s(t, *out.model, l);
  s.wanted = [&](const std::vector<const trace*>& chosen) {
    return !out.hanging && !finished(chosen);
  };
  s.on_consistent = [&](const execution& x, const relations& r) {
    if (out.hanging || !fair(s.chosen, x, r, s.initial_events))
      return;
    final_states(t, out.observables).for_each(s.chosen, x, r, [&](const std::vector<value>& state) {
      out.hanging = show(s, x, state);
    });
  };
  s.run(traces);
  if (out.hanging)
    out.terminates = false;
  else if (!unknown)
    out.terminates = true;
}

} // namespace

result enumerate(const test& t, const model& m, const limits& l) {
  result out;
  out.model = &m;
  out.observables = all_observables(t);
  const thread_traces traces = all_traces(t, l);
  out.bound_reached = traces.bound_reached;
  find_outcomes(t, l, traces, out);
  find_hangs(t, l, out);
  return out;
}

namespace {

/// Looks for the candidates that satisfy a condition and are refused.
class explainer {
public:
  explainer(const test& t, const model& m, const limits& l, std::size_t most)
      : test_(t)
      , model_(m)
      , most_(most)
      , index_(t)
      , observables_(all_observables(t))
      , search_(t, m, l) {
    search_.wanted = finished;
    search_.on_broken = [this](const execution& x, const broken_axiom& broken) {
      refused(x, broken);
    };
    search_.on_consistent = [this](const execution& x, const relations&) { other_end(x); };
  }

  refusals run(const thread_traces& traces) {
    search_.run(traces);
    return std::move(out_);
  }

private:
  /// A final state that satisfies the condition, were any write the last to its place: coherence
  /// may be what is refused. An initial write only if there is no other way.
  std::optional<std::vector<value>> satisfying_end(const execution& x, const relations& r) {
    relations open = r;
    open.co = relation(x.events.size());
    r.writes.for_each([&](event_id w, event_id v) {
      if (x.events[w].initial() && !x.events[v].initial())
        open.co.add(w, v);
    });
    if (auto found = satisfying_state(x, open))
      return found;
    open.co = relation(x.events.size());
    return satisfying_state(x, open);
  }

  std::optional<std::vector<value>> satisfying_state(const execution& x, const relations& r) {
    std::optional<std::vector<value>> found;
    final_states(test_, observables_)
        .for_each(search_.chosen, x, r, [&](const std::vector<value>& state) {
          if (!found && satisfies(test_.final, state, index_) &&
              (!test_.filter || satisfies(*test_.filter, state, index_)))
            found = state;
        });
    return found;
  }

  [[nodiscard]] static relations derived(const execution& x) {
    relations r(x);
    r.add_reads();
    r.add_fences();
    r.add_coherence();
    return r;
  }

  void refused(const execution& x, const broken_axiom& broken) {
    const relations r = derived(x);
    if (const auto final = satisfying_end(x, r))
      add(x, r, broken, *final);
  }

  /// A consistent execution that would satisfy the condition if another write were the last one.
  /// Where causality alone orders the two, the search has not tried so.
  void other_end(const execution& consistent) {
    execution x = consistent;
    x.co = relation(x.events.size());
    const auto final = satisfying_end(x, derived(x));
    if (!final)
      return;
    for (const observable& o : observables_)
      if (!o.thread && make_last(x, o, (*final)[index_(o)])) {
        const relations r = derived(x);
        if (const auto broken = first_broken(model_, r))
          add(x, r, *broken, *final);
        return;
      }
  }

  /// Puts the write of `wanted` behind those that follow it in causality order. False if none does.
  bool make_last(execution& x, const observable& o, value wanted) const {
    const location& l = test_.locations[o.index];
    const byte_range range{l.address + o.element * l.type.size, l.type.size};
    const relations r = derived(x);
    std::vector<event_id> writers;
    for (event_id w = 0; w < x.events.size(); ++w) {
      const event& e = x.events[w];
      if (!e.is_write() || e.bytes != range ||
          narrow(static_cast<value>(e.value), l.type) != wanted)
        continue;
      bool last = true;
      r.co.for_each_successor(w, [&](event_id) { last = false; });
      if (last)
        return false;
      writers.push_back(w);
    }
    if (writers.empty())
      return false;
    const event_id w = writers.back();
    r.co.for_each_successor(w, [&](event_id v) { x.co.add(v, w); });
    return true;
  }

  void add(const execution& x,
           const relations& r,
           const broken_axiom& broken,
           const std::vector<value>& final) {
    if (++out_.count <= most_)
      out_.candidates.push_back(
          {show(search_, x, final), broken.which, broken.which->chain(r, broken.at)});
  }

  const test& test_;
  const model& model_;
  std::size_t most_;
  observable_index index_;
  std::vector<observable> observables_;
  search search_;
  refusals out_;
};

} // namespace

refusals explain(const test& t, const model& m, const limits& l, std::size_t most) {
  return explainer(t, m, l, most).run(all_traces(t, l));
}

} // namespace tilesim::memmodel::litmus
