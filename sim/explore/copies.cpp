// Asynchronous copies of an execution.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/copies.hpp"

#include "sim/core/thread.hpp"
#include "sim/explore/exploring_engine.hpp"

#include <tilesim/detail/phases.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace tilesim::sim::exploring {

using memmodel::event_id;
using memmodel::thread_id;

// --- As threads tell of them.

void exploring_engine::copy_begins(sim_thread& t) {
  if (threads_ == nullptr) {
    return;
  }
  settle();
  t.copies = true;
  ++threads_->live(t.number).copies;
}

namespace {

/// Of a barrier's word. [api/tilesim/detail/synchronization.hpp]
std::uint64_t phase_in(std::uint64_t word) {
  return word >> (2 * tilesim::detail::barrier_count_bits);
}

/// As executions name it: by the barrier, whose memory has its phase; groups of a thread's own
/// copies by the number of the thread, which runs as another object each time.
phase_name known_phase(const sim_thread& t, const live_run& l, phase_name p) {
  if (p.object == reinterpret_cast<std::uintptr_t>(&t)) {
    return {t.number + 1, p.number};
  }
  std::uint64_t word = 0;
  l.own.read(p.object, &word, sizeof word);
  return {p.object, phase_in(word)};
}

} // namespace

void exploring_engine::copy_ends(sim_thread& t, phase_name awaits) {
  if (threads_ == nullptr) {
    return;
  }
  settle();
  t.copies = false;
  live_run& l = threads_->live(t.number);
  const phase_name known = known_phase(t, l, awaits);
  l.notes.push_back({.what = copy_note::kind::ended,
                     .copy = l.copies,
                     .object = known.object,
                     .number = known.number});
}

void exploring_engine::copies_awaited(sim_thread& t, phase_name end) {
  if (threads_ != nullptr) {
    live_run& l = threads_->live(t.number);
    const phase_name known = known_phase(t, l, end);
    l.notes.push_back(
        {.what = copy_note::kind::awaited, .object = known.object, .number = known.number});
  }
}

void exploring_engine::copies_handed_on(sim_thread& t, phase_name end, phase_name to) {
  if (threads_ != nullptr) {
    live_run& l = threads_->live(t.number);
    const phase_name from = known_phase(t, l, end);
    const phase_name known = known_phase(t, l, to);
    l.notes.push_back({.what = copy_note::kind::handed_on,
                       .object = from.object,
                       .number = from.number,
                       .to = known.object,
                       .to_number = known.number});
  }
}

// --- In an execution.

copy_order::copy_order(const memmodel::graph& g, std::vector<thread_way> ways)
    : graph_(g)
    , ways_(std::move(ways)) {
  for (thread_id t = 0; t < ways_.size(); ++t) {
    for (std::size_t s = 0; s < ways_[t].steps.size(); ++s) {
      for (const copy_note& n : ways_[t].steps[s]->notes) {
        note(t, s, n);
      }
    }
  }
}

void copy_order::note(thread_id t, std::size_t s, const copy_note& n) {
  switch (n.what) {
  case copy_note::kind::ended:
    phases_[{t, n.copy}].emplace_back(n.object, arrived(t, {n.object, n.number}, s));
    break;
  case copy_note::kind::awaited:
    waits_.push_back({.thread = t, .step = s, .end = {n.object, seen(t, n, s)}});
    break;
  case copy_note::kind::handed_on:
    for (auto copy = phases_.lower_bound({t, 0}); copy != phases_.end() && copy->first.first == t;
         ++copy) {
      std::vector<phase>& of = copy->second;
      if (std::ranges::any_of(
              of, [&](const phase& p) { return p.first == n.object && p.second < n.number; })) {
        of.emplace_back(n.to, arrived(t, {n.to, n.to_number}, s));
      }
    }
    break;
  }
}

std::size_t copy_order::step_of(event_id e) const {
  return graph_[e].tag >> 32U;
}

copy_order::copy_name copy_order::copy_of(event_id e) const {
  const thread_id t = graph_[e].what.thread;
  return {t, ways_[t].steps[step_of(e)]->copy};
}

/// The phase that a thread has seen a barrier in when it has waited for the one before.
std::uint64_t copy_order::seen(thread_id t, const copy_note& n, std::size_t s) const {
  std::uint64_t last = n.number;
  for (const event_id e : graph_.of_thread(t)) {
    if (step_of(e) < s && graph_[e].what.is_read() && graph_[e].what.bytes.address == n.object) {
      last = phase_in(graph_[e].what.value);
    }
  }
  return last;
}

/// The phase of a barrier that a thread arrives at next: it cannot be over before.
std::uint64_t copy_order::arrived(thread_id t, phase known, std::size_t s) const {
  for (const event_id e : graph_.of_thread(t)) {
    const memmodel::graph_event& it = graph_[e];
    if (step_of(e) >= s && it.what.is_read() && it.half != memmodel::no_event &&
        it.what.bytes.address == known.first) {
      return phase_in(it.what.value);
    }
  }
  return known.second;
}

bool copy_order::apart(event_id a, event_id b) const {
  const copy_name of_a = copy_of(a);
  const copy_name of_b = copy_of(b);
  return (of_a.second != 0 || of_b.second != 0) && of_a != of_b;
}

bool copy_order::awaits(const wait& w, const std::vector<phase>& of) {
  return std::ranges::any_of(
      of, [&](const phase& p) { return p.first == w.end.first && p.second < w.end.second; });
}

bool copy_order::before(event_id a, event_id b, const order& causal) const {
  const copy_name copy = copy_of(a);
  if (copy.second == 0) {
    return causal(a, b);
  }
  const auto its = phases_.find(copy);
  if (its == phases_.end()) {
    return false;
  }
  return std::ranges::any_of(waits_, [&](const wait& w) {
    if (!awaits(w, its->second)) {
      return false;
    }
    const auto events = graph_.of_thread(w.thread);
    const auto behind =
        std::ranges::find_if(events, [&](event_id e) { return step_of(e) >= w.step; });
    const bool comes_before = w.thread == copy.first
                                  ? step_of(a) < w.step
                                  : behind != events.begin() && causal(a, *std::prev(behind));
    return comes_before &&
           (w.thread == graph_[b].what.thread ? step_of(b) >= w.step
                                              : behind != events.end() && causal(*behind, b));
  });
}

} // namespace tilesim::sim::exploring
