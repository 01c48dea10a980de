// The candidates of a litmus test, one by one: every choice of traces, barrier instances,
// reads-from, order of fences and coherence that the axioms do not refuse.
//
// Choices are made in that order. After each the axioms judge the candidate with what is still open
// left out: they are anti-monotone, so a candidate that breaks one now breaks it however the rest
// is chosen.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/litmus/grounds.hpp"
#include "memmodel/litmus/shown_execution.hpp"
#include "memmodel/litmus/traces.hpp"
#include "memmodel/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace tilesim::memmodel::litmus {

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

  [[nodiscard]] const model& judged_by() const noexcept { return model_; }

  void run(const thread_traces& traces) {
    if (model_.dependencies_by_value) {
      grounds_.emplace(traces);
    }
    possible_.assign(traces.of.size() + 1, {});
    for (std::size_t p = traces.of.size(); p-- > 0;) {
      possible_[p] = possible_[p + 1];
      for (const trace& tr : traces.of[p]) {
        for (const trace_event& e : tr.events) {
          if (e.what.is_write()) {
            possible_[p].add(e.what.bytes, e.what.value);
          }
        }
      }
    }
    choose_trace(traces, 0, initial_memory(test_));
  }

private:
  // --- Traces: a read's value must be written by somebody.

  void choose_trace(const thread_traces& traces, std::size_t p, const possible_values& written) {
    if (p == traces.of.size()) {
      if (!wanted || wanted(chosen)) {
        build();
      }
      return;
    }
    for (const trace& tr : traces.of[p]) {
      count();
      chosen.push_back(&tr);
      possible_values now = written;
      for (const trace_event& e : tr.events) {
        if (e.what.is_write()) {
          now.add(e.what.bytes, e.what.value);
        }
      }
      if (readable(now, p + 1)) {
        choose_trace(traces, p + 1, now);
      }
      chosen.pop_back();
    }
  }

  [[nodiscard]] bool readable(const possible_values& written, std::size_t later) const {
    for (const trace* tr : chosen) {
      for (const trace_event& e : tr->events) {
        if (e.what.is_read() && !written.may_hold(e.what.bytes, e.what.value) &&
            !possible_[later].may_hold(e.what.bytes, e.what.value)) {
          return false;
        }
      }
    }
    return true;
  }

  // --- Events and what the threads fix about them.

  void build() {
    std::size_t n = 0;
    for (const location& l : test_.locations) {
      n += l.initial.size();
    }
    initial_events = static_cast<std::uint32_t>(n);
    for (const trace* tr : chosen) {
      n += tr->events.size();
    }
    x_ = execution(n);
    x_.grounds.resize(grounds_ ? n : 0);
    code.assign(n, 0);
    for (const thread& t : test_.threads) {
      x_.threads.push_back(t.place);
    }
    event_id next = 0;
    for (std::uint32_t l = 0; l < test_.locations.size(); ++l) {
      for (std::size_t i = 0; i < test_.locations[l].initial.size(); ++i) {
        const location& loc = test_.locations[l];
        event& e = x_.events[next];
        e.kind = event_kind::write;
        e.element = static_cast<std::uint32_t>(i);
        e.bytes = {loc.address + i * loc.type.size, loc.type.size};
        e.value = static_cast<std::uint64_t>(narrow(loc.initial[i], {loc.type.size, false}));
        code[next++] = l;
      }
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
      for (std::uint32_t j = 0; j < i; ++j) {
        if (events[j].what.instruction < e.instruction) {
          x_.po.add(first + j, id);
        }
      }
      if (t.write_half) {
        x_.rmw.add(id - 1, id);
        x_.po.add(id - 1, id);
      }
      depend(x_.addr, reads, t.addr, id);
      depend(x_.data, reads, t.data, id);
      depend(x_.ctrl, reads, t.ctrl, id);
      if (e.is_read()) {
        reads.push_back(id);
      }
      if (grounds_ && e.is_write()) {
        for (const read_set settles : grounds_->of(p, *chosen[p], i)) {
          std::vector<event_id>& set = x_.grounds[id].emplace_back();
          for (std::size_t r = 0; r < reads.size(); ++r) {
            if ((settles >> r & 1U) != 0) {
              set.push_back(reads[r]);
            }
          }
        }
      }
    }
    return first + static_cast<event_id>(events.size());
  }
  static void depend(relation& r, const std::vector<event_id>& reads, read_set on, event_id id) {
    for (std::size_t i = 0; i < reads.size(); ++i) {
      if ((on >> i & 1U) != 0 && reads[i] != id) {
        r.add(reads[i], id);
      }
    }
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
      for (const barrier_name& name : chosen[p]->barriers) {
        comers[{at.gpu, at.cluster, at.cta, name}].insert(p);
      }
      for (std::uint32_t i = 0; i < chosen[p]->events.size(); ++i) {
        if (const trace_event& e = chosen[p]->events[i]; e.what.kind == event_kind::barrier) {
          barriers[{at.gpu, at.cluster, at.cta, e.barrier}].arrivals.push_back(first_of_[p] + i);
        }
      }
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
    for (const event_id e : open) {
      if (next.empty() || x_.events[next.back()].thread != x_.events[e].thread) {
        next.push_back(e);
      }
    }
    const std::size_t quorum = all[which].quorum;
    if (next.size() < quorum) {
      for (const event_id e : open) {
        x_.events[e].instance = 0;
        x_.events[e].late = false;
      }
      attach(all, which, first, instance, {open.begin(), open.end()});
      return;
    }
    if (next.size() > 16) {
      throw limit_reached{"more than 16 threads at a barrier with a thread count"};
    }
    for (std::uint32_t set = 1; set < (1U << next.size()); ++set) {
      if (static_cast<std::size_t>(std::popcount(set)) < quorum) {
        continue;
      }
      std::set<event_id> rest = open;
      for (std::size_t i = 0; i < next.size(); ++i) {
        if ((set >> i & 1U) != 0) {
          x_.events[next[i]].instance = instance;
          x_.events[next[i]].late = false;
          rest.erase(next[i]);
        }
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
    for (std::uint32_t i = first; i < instance; ++i) {
      if (std::ranges::none_of(all[which].arrivals, [&](event_id other) {
            return x_.events[other].instance == i && x_.events[other].thread == x_.events[e].thread;
          })) {
        attached = true;
        x_.events[e].instance = i;
        x_.events[e].late = true;
        attach(all, which, first, instance, left);
      }
    }
    x_.events[e].instance = 0;
    x_.events[e].late = false;
    if (!attached) {
      attach(all, which, first, instance, left);
    }
  }

  /// Whether every wait ends as the traces say: those of a waiting thread's last event do not, all
  /// others do.
  void judge_barriers() {
    if (!first_time()) {
      return;
    }
    // A thread goes on past a wait when all that complete its instance have arrived.
    std::vector<std::size_t> done(chosen.size(), 0); // events that the thread has performed
    for (bool progress = true; progress;) {
      progress = false;
      for (std::uint32_t p = 0; p < chosen.size(); ++p) {
        while (done[p] < chosen[p]->events.size() &&
               may_pass(first_of_[p] + static_cast<event_id>(done[p]), done)) {
          ++done[p];
          progress = true;
        }
      }
    }
    for (std::uint32_t p = 0; p < chosen.size(); ++p) {
      const std::size_t expected =
          chosen[p]->events.size() - (chosen[p]->end == trace_end::waiting ? 1 : 0);
      if (done[p] != expected) {
        return;
      }
    }
    judge_start();
  }

  [[nodiscard]] bool may_pass(event_id e, const std::vector<std::size_t>& done) const {
    const event& wait = x_.events[e];
    if (wait.kind != event_kind::barrier || !wait.waits) {
      return true;
    }
    if (wait.instance == 0) {
      return false;
    }
    for (event_id other = initial_events; other < x_.events.size(); ++other) {
      const event& o = x_.events[other];
      if (o.kind == event_kind::barrier && o.instance == wait.instance && !o.late &&
          first_of_[o.thread] + done[o.thread] < other) {
        return false;
      }
    }
    return true;
  }

  /// Instances that differ in their numbers only are one choice.
  bool first_time() {
    std::vector<std::pair<event_id, bool>> names;
    std::map<std::uint32_t, event_id> first;
    for (event_id e = initial_events; e < x_.events.size(); ++e) {
      if (const event& b = x_.events[e]; b.kind == event_kind::barrier) {
        names.emplace_back(
            b.instance == 0 ? no_event : first.try_emplace(b.instance, e).first->second, b.late);
      }
    }
    return completions_.insert(std::move(names)).second;
  }

  // --- Reads-from, fences, coherence.

  void judge_start() {
    relations r(x_);
    sources_.clear();
    reads_.clear();
    for (event_id e = initial_events; e < x_.events.size(); ++e) {
      if (x_.events[e].is_read()) {
        reads_.push_back(e);
        sources_.push_back(possible_sources(e));
        if (sources_.back().empty()) {
          return;
        }
      }
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
    for (event_id w = 0; w < x_.events.size(); ++w) {
      if (x_.events[w].is_write() && overlap(x_.events[w].bytes, r.bytes) && !x_.rmw(read, w)) {
        writes.push_back(w);
        partial |= !x_.events[w].initial() && x_.events[w].bytes != r.bytes;
      }
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
    if (same) {
      out.push_back(initial);
    }
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
    for (const event_id w : writes) {
      if (overlap(x_.events[w].bytes, {address, 1}) &&
          x_.byte_of(w, address) == x_.byte_of(read, address)) {
        so_far[byte] = w;
        mix(read, byte + 1, so_far, writes, out);
      }
    }
  }

  /// Partial candidates count from their first run on: combinations of runs may be very many.
  void count() {
    if (++judged_ > limits_.candidates) {
      throw limit_reached{fmt::format("more than {} candidates", limits_.candidates)};
    }
  }

  /// False if some axiom is broken already.
  bool judge(relations& r, bool report) {
    count();
    r.add_reads();
    r.add_fences();
    r.add_coherence();
    const auto broken = first_broken(model_, r);
    if (broken && report && on_broken) {
      on_broken(x_, *broken);
    }
    return !broken;
  }

  void choose_source(relations& r, std::size_t i) {
    if (i == reads_.size()) {
      if (judge(r, true)) {
        order_fences(r);
      }
      return;
    }
    for (const byte_sources& from : sources_[i]) {
      for (std::uint32_t b = 0; b < x_.events[reads_[i]].bytes.size; ++b) {
        x_.read_byte_from(reads_[i], b, from[b]);
      }
      const bool last = i + 1 == reads_.size();
      if (last || on_broken || judge(r, false)) {
        choose_source(r, i + 1);
      }
      x_.forget_source(reads_[i]);
    }
  }

  /// Orders the first pair of morally strong sequentially consistent fences that is not ordered,
  /// both ways.
  void order_fences(relations& r) {
    if (model_.fence_order) {
      for (event_id a = initial_events; a < x_.events.size(); ++a) {
        for (event_id b = a + 1; b < x_.events.size(); ++b) {
          if (x_.events[a].is_sc_fence() && x_.events[b].is_sc_fence() && r.ms(a, b) &&
              !x_.sc(a, b) && !x_.sc(b, a)) {
            for (const auto& [p, q] : {std::pair{a, b}, std::pair{b, a}}) {
              x_.sc.add(p, q);
              if (judge(r, true)) {
                order_fences(r);
              }
              x_.sc.remove(p, q);
            }
            return;
          }
        }
      }
    }
    order_writes(r);
  }

  /// Orders the first pair of writes that must be ordered and is not, both ways.
  void order_writes(relations& r) {
    for (event_id a = initial_events; a < x_.events.size(); ++a) {
      for (event_id b = a + 1; b < x_.events.size(); ++b) {
        if (r.writes(a, b) && (model_.total_coherence || r.ms(a, b)) && !r.co(a, b) &&
            !r.co(b, a)) {
          for (const auto& [p, q] : {std::pair{a, b}, std::pair{b, a}}) {
            x_.co.add(p, q);
            if (judge(r, true)) {
              order_writes(r);
            }
            x_.co.remove(p, q);
          }
          return;
        }
      }
    }
    on_consistent(x_, r);
  }

  const test& test_;
  const model& model_;
  const limits& limits_;
  std::optional<grounds> grounds_;        ///< where the model asks for dependencies by value
  std::vector<possible_values> possible_; ///< by thread: what it and later ones may write
  execution x_;
  std::vector<event_id> first_of_; ///< by thread
  std::vector<event_id> reads_;
  std::vector<std::vector<byte_sources>> sources_;
  std::set<std::vector<std::pair<event_id, bool>>>
      completions_; ///< choices of barrier instances that were judged
  std::uint64_t judged_ = 0;
};

/// An execution that the search is at, for showing.
[[nodiscard]] shown_execution
show(const search& s, const execution& x, const std::vector<value>& final);

} // namespace tilesim::memmodel::litmus
