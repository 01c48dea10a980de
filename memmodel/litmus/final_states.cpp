// How executions end.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/litmus/final_states.hpp"

#include <algorithm>

namespace tilesim::memmodel::litmus {

std::vector<observable> all_observables(const test& t) {
  std::vector<observable> all;
  for (std::uint32_t p = 0; p < t.threads.size(); ++p) {
    for (std::uint32_t r = 0; r < t.threads[p].registers.size(); ++r) {
      for (std::uint32_t e = 0; e < t.threads[p].widths[r]; ++e) {
        all.push_back({p, r, e});
      }
    }
  }
  for (std::uint32_t l = 0; l < t.locations.size(); ++l) {
    for (std::uint32_t e = 0; e < t.locations[l].initial.size(); ++e) {
      all.push_back({std::nullopt, l, e});
    }
  }
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

bool finished(const std::vector<const trace*>& chosen) {
  return std::ranges::all_of(chosen, [](const trace* t) { return t->end == trace_end::finished; });
}

bool fair(const std::vector<const trace*>& chosen,
          const execution& x,
          const relations& r,
          std::uint32_t initial) {
  event_id first = initial;
  for (const trace* t : chosen) {
    if (t->end == trace_end::spinning) {
      for (auto i = t->last_iteration; i < t->events.size(); ++i) {
        const event_id read = first + i;
        for (event_id w = 0; w < x.events.size(); ++w) {
          if (r.fr(read, w) && r.ms(read, w)) {
            return false;
          }
        }
      }
    }
    first += static_cast<event_id>(t->events.size());
  }
  return true;
}

bool has_loops(const test& t) {
  for (const thread& p : t.threads) {
    for (std::uint32_t i = 0; i < p.code.size(); ++i) {
      if (p.code[i].op == opcode::branch && p.code[i].target <= i) {
        return true;
      }
    }
  }
  return false;
}

bool has_waits(const test& t) {
  return std::ranges::any_of(t.threads, [](const thread& p) {
    return std::ranges::any_of(
        p.code, [](const instruction& i) { return i.op == opcode::barrier && i.waits; });
  });
}

} // namespace tilesim::memmodel::litmus
