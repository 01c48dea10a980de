// What a model refuses: candidates that satisfy a condition, and the axiom that each breaks.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/litmus/explain.hpp"

#include "memmodel/litmus/final_states.hpp"
#include "memmodel/litmus/search.hpp"

#include <algorithm>

namespace tilesim::memmodel::litmus {

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
      if (x.events[w].initial() && !x.events[v].initial()) {
        open.co.add(w, v);
      }
    });
    if (auto found = satisfying_state(x, open)) {
      return found;
    }
    open.co = relation(x.events.size());
    return satisfying_state(x, open);
  }

  std::optional<std::vector<value>> satisfying_state(const execution& x, const relations& r) {
    std::optional<std::vector<value>> found;
    final_states(test_, observables_)
        .for_each(search_.chosen, x, r, [&](const std::vector<value>& state) {
          if (!found && satisfies(test_.final, state, index_) &&
              (!test_.filter || satisfies(*test_.filter, state, index_))) {
            found = state;
          }
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
    if (const auto final = satisfying_end(x, r)) {
      add(x, r, broken, *final);
    }
  }

  /// A consistent execution that would satisfy the condition if another write were the last one.
  /// Where causality alone orders the two, the search has not tried so.
  void other_end(const execution& consistent) {
    execution x = consistent;
    x.co = relation(x.events.size());
    const auto final = satisfying_end(x, derived(x));
    if (!final) {
      return;
    }
    for (const observable& o : observables_) {
      if (!o.thread && make_last(x, o, (*final)[index_(o)])) {
        const relations r = derived(x);
        if (const auto broken = first_broken(model_, r)) {
          add(x, r, *broken, *final);
        }
        return;
      }
    }
  }

  /// Puts the write of `wanted` behind those that follow it in causality order. False if none does.
  bool make_last(execution& x, const observable& o, value wanted) const {
    const location& l = test_.locations[o.index];
    const byte_range range = observed_bytes(l, o);
    const relations r = derived(x);
    std::vector<event_id> writers;
    for (event_id w = 0; w < x.events.size(); ++w) {
      const event& e = x.events[w];
      if (!e.is_write() || e.bytes != range ||
          narrow(static_cast<value>(e.value), l.type) != wanted) {
        continue;
      }
      bool last = true;
      r.co.for_each_successor(w, [&](event_id) { last = false; });
      if (last) {
        return false;
      }
      writers.push_back(w);
    }
    if (writers.empty()) {
      return false;
    }
    const event_id w = writers.back();
    r.co.for_each_successor(w, [&](event_id v) { x.co.add(v, w); });
    return true;
  }

  void add(const execution& x,
           const relations& r,
           const broken_axiom& broken,
           const std::vector<value>& final) {
    if (++out_.count <= most_) {
      out_.candidates.push_back(
          {show(search_, x, final), broken.which, broken.which->chain(r, broken.at)});
    }
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
  return explainer(t, m, l, most).run(all_traces(t, l, m.dependencies_by_value));
}

} // namespace tilesim::memmodel::litmus
