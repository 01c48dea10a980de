// The reference enumerator: every execution of a litmus test that a model allows.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/litmus/enumerate.hpp"

#include "memmodel/litmus/final_states.hpp"
#include "memmodel/litmus/search.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tilesim::memmodel::litmus {

namespace {

/// Whether a read takes from its own future: program order, reads-from and barriers have a circle.
bool load_buffering(const execution& x, const relations& r) {
  relation order = x.po | x.rf;
  order |= r.barrier.then(x.po);
  order.close();
  return order.reflexive_point().has_value();
}

/// Executions that differ in the order of fences alone are one. They come by traces, barriers and
/// reads-from: what has been seen of others is forgotten.
class distinct_executions {
public:
  struct seen {
    bool counted = false;
    bool racy = false;
    std::set<std::vector<value>> states; ///< that it may end in
  };
  seen& of(const search& s, const execution& x, const relations& r) {
    std::vector<std::uint64_t> group;
    for (const trace* t : s.chosen) {
      group.push_back(reinterpret_cast<std::uintptr_t>(t));
    }
    for (event_id e = 0; e < x.events.size(); ++e) {
      group.push_back(2 * std::uint64_t{x.events[e].instance} + (x.events[e].late ? 1 : 0));
      for (std::uint32_t b = 0; x.events[e].is_read() && b < x.events[e].bytes.size; ++b) {
        group.push_back(x.source[e][b]);
      }
    }
    if (group != group_) {
      seen_.clear();
      group_ = std::move(group);
    }
    std::vector<bool> order;
    for (event_id a = s.initial_events; a < x.events.size(); ++a) {
      r.writes.for_each_successor(a, [&](event_id b) {
        if (b >= s.initial_events && (s.judged_by().total_coherence || r.ms(a, b))) {
          order.push_back(r.co(a, b));
        }
      });
    }
    return seen_[std::move(order)];
  }

private:
  std::vector<std::uint64_t> group_;
  std::map<std::vector<bool>, seen> seen_;
};

/// Outcomes, races, verdict.
void find_outcomes(const test& t, const limits& l, const thread_traces& traces, result& out) {
  const observable_index index(t);
  search s(t, *out.model, l);
  s.wanted = finished;
  distinct_executions distinct;
  s.on_consistent = [&](const execution& x, const relations& r) {
    const auto race = find_race(r);
    const bool buffered = load_buffering(x, r);
    distinct_executions::seen& known = distinct.of(s, x, r);
    bool counted = false;
    final_states(t, out.observables).for_each(s.chosen, x, r, [&](const std::vector<value>& state) {
      if (t.filter && !satisfies(*t.filter, state, index)) {
        return;
      }
      counted = true;
      outcome_count& count = out.outcomes[state];
      count.racy |= race.has_value();
      const bool yes = satisfies(t.final, state, index);
      if (known.states.insert(state).second) {
        ++count.executions;
        count.unbuffered += buffered ? 0U : 1U;
        ++(yes ? out.positive : out.negative);
      }
      if (auto& shown = yes ? out.satisfying : out.violating; !shown) {
        shown = show(s, x, state);
      }
      if (race && (!out.racing || (race->mixed_size && !out.racing->race->mixed_size))) {
        out.racing = show(s, x, state);
        out.racing->race = race;
      }
    });
    if (!counted) {
      return;
    }
    out.racy += race && !known.racy ? 1U : 0U;
    known.racy = known.racy || race;
    if (!std::exchange(known.counted, true)) {
      ++out.executions;
      out.buffered += buffered ? 1U : 0U;
    }
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
  thread_traces traces = all_traces(t, longer, out.model->dependencies_by_value);
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
    if (out.hanging || !fair(s.chosen, x, r, s.initial_events)) {
      return;
    }
    final_states(t, out.observables).for_each(s.chosen, x, r, [&](const std::vector<value>& state) {
      out.hanging = show(s, x, state);
    });
  };
  s.run(traces);
  if (out.hanging) {
    out.terminates = false;
  } else if (!unknown) {
    out.terminates = true;
  }
}

} // namespace

result enumerate(const test& t, const model& m, const limits& l) {
  result out;
  out.model = &m;
  out.observables = all_observables(t);
  const thread_traces traces = all_traces(t, l, m.dependencies_by_value);
  out.bound_reached = traces.bound_reached;
  find_outcomes(t, l, traces, out);
  find_hangs(t, l, out);
  return out;
}

} // namespace tilesim::memmodel::litmus
