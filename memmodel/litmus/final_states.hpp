// How executions end: final states, conditions on them, and whether a run may go on so for ever.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/litmus/traces.hpp"
#include "memmodel/model.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <utility>
#include <vector>

namespace tilesim::memmodel::litmus {

/// Every variable of a test: all registers' elements, then all locations'.
[[nodiscard]] std::vector<observable> all_observables(const test& t);

/// Where an element of the location that it observes lies.
[[nodiscard]] inline byte_range observed_bytes(const location& l, const observable& o) {
  return {l.address + std::uint64_t{o.element} * l.type.size, l.type.size};
}

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
    const byte_range range = observed_bytes(l, o);
    possible_values memory;
    bool whole = true;
    for (const event& e : x.events) {
      whole &= !e.is_write() || !overlap(e.bytes, range) || e.bytes == range;
    }
    for (std::uint32_t i = 0; i < (whole ? 1 : range.size); ++i) {
      const byte_range part = whole ? range : byte_range{range.address + i, 1};
      for (event_id w = 0; w < x.events.size(); ++w) {
        if (!x.events[w].is_write() || !overlap(x.events[w].bytes, part)) {
          continue;
        }
        bool maximal = true;
        r.co.for_each_successor(w,
                                [&](event_id v) { maximal &= !overlap(x.events[v].bytes, part); });
        if (maximal) {
          memory.add(part, whole ? x.events[w].value : x.byte_of(w, part.address));
        }
      }
    }
    std::set<value> distinct;
    for (const possible_value& v : memory.of(range)) {
      distinct.insert(narrow(static_cast<value>(v.bits), l.type));
    }
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

/// Whether every thread has come to its end.
[[nodiscard]] bool finished(const std::vector<const trace*>& chosen);

/// Whether an execution in which threads spin may go on so for ever: a morally strong read sees
/// every write to its location in the end, so it may not go on reading what another such write
/// follows in coherence order.
[[nodiscard]] bool fair(const std::vector<const trace*>& chosen,
                        const execution& x,
                        const relations& r,
                        std::uint32_t initial);

/// Which of all_observables() a variable is.
class observable_index {
public:
  explicit observable_index(const test& t) {
    for (const thread& p : t.threads) {
      registers_.emplace_back();
      for (const std::uint32_t width : p.widths) {
        registers_.back().push_back(std::exchange(next_, next_ + width));
      }
    }
    for (const location& l : t.locations) {
      locations_.push_back(std::exchange(next_, next_ + l.initial.size()));
    }
  }
  std::size_t operator()(const observable& o) const {
    return (o.thread ? registers_[*o.thread][o.index] : locations_[o.index]) + o.element;
  }

private:
  std::vector<std::vector<std::size_t>> registers_;
  std::vector<std::size_t> locations_;
  std::size_t next_ = 0;
};

/// Whether a final state satisfies a condition.
[[nodiscard]] bool satisfies(const condition& c,
                             const std::vector<value>& final,
                             const std::function<std::size_t(const observable&)>& index);

/// Whether a thread jumps back; whether one waits for a barrier's phase.
[[nodiscard]] bool has_loops(const test& t);
[[nodiscard]] bool has_waits(const test& t);

} // namespace tilesim::memmodel::litmus
