// The races of random small programs as they were executed, by the memory model's page.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/model.hpp"
#include "memmodel/race.hpp"
#include "memmodel/relations.hpp"
#include "random_execution.hpp"

#include <algorithm>

namespace tilesim::random_executions {

namespace {

/// Derived of an execution, with an order of fences.
memmodel::relations derived(memmodel::execution& x, const memmodel::relation& fences) {
  x.sc = fences;
  memmodel::relations r(x);
  r.add_reads();
  r.add_fences();
  r.add_coherence();
  return r;
}

void add_races(const memmodel::relations& r, const std::vector<side>& origin, judged& to) {
  const std::vector<memmodel::event>& events = r.x->events;
  memmodel::races(r).for_each([&](event_id a, event_id b) {
    const auto& p1 = events[a].bytes;
    const auto& p2 = events[b].bytes;
    for (std::uint64_t at = std::max(p1.address, p2.address); at < std::min(p1.end(), p2.end());
         ++at) {
      const auto byte = static_cast<std::uint32_t>(at - base);
      to.bytes.insert(byte);
      to.pairs.insert({byte, origin[a], origin[b]});
    }
  });
}

/// Strong accesses of the same bytes of which the first comes before the second in communication
/// order: what a read takes comes before it by a morally strong reads-from.
memmodel::relation communicates(const memmodel::relations& r) {
  const std::vector<memmodel::event>& events = r.x->events;
  const auto strong = [&](event_id e) { return events[e].is_memory() && events[e].strong(); };
  memmodel::relation out(events.size());
  for (event_id a = 0; a < events.size(); ++a) {
    for (event_id b = 0; b < events.size(); ++b) {
      if (a == b || !strong(a) || !strong(b) || events[a].bytes != events[b].bytes) {
        continue;
      }
      bool comes = events[b].is_write() && (r.co(a, b) || r.fr(a, b));
      for (event_id w = 0; w < events.size() && events[b].is_read(); ++w) {
        comes = comes || (r.x->rf(w, b) && strong(w) && r.ms(w, b) &&
                          events[w].bytes == events[b].bytes &&
                          (a == w || r.co(a, w) || r.fr(a, w)));
      }
      if (comes) {
        out.add(a, b);
      }
    }
  }
  return out;
}

} // namespace

// The other order of two such fences has the later access precede the earlier one, which the axioms
// forbid; what that adds may settle more.
judged races_of(modelled m) {
  const std::vector<memmodel::event> events = m.what.events;
  memmodel::relation settled(events.size());
  for (;;) {
    const memmodel::relations r = derived(m.what, settled);
    const memmodel::relation through = r.base.then(communicates(r)).then(r.base) & r.ms;
    memmodel::relation more = settled;
    through.for_each([&](event_id f, event_id g) {
      if (events[f].is_sc_fence() && events[g].is_sc_fence()) {
        more.add(f, g);
      }
    });
    if (more.count() == settled.count()) {
      judged out;
      add_races(r, m.origin, out);
      return out;
    }
    settled = more;
  }
}

judged races_in_any_fence_order(modelled m) {
  std::vector<event_id> fences;
  for (event_id e = 0; e < m.what.events.size(); ++e) {
    if (m.what.events[e].is_sc_fence()) {
      fences.push_back(e);
    }
  }
  const memmodel::relation ms = memmodel::morally_strong(m.what);
  judged out;
  std::set<std::vector<std::pair<event_id, event_id>>> tried;
  do {
    memmodel::relation order(m.what.events.size());
    std::vector<std::pair<event_id, event_id>> pairs;
    for (std::size_t i = 0; i < fences.size(); ++i) {
      for (std::size_t j = i + 1; j < fences.size(); ++j) {
        if (ms(fences[i], fences[j])) {
          order.add(fences[i], fences[j]);
          pairs.emplace_back(fences[i], fences[j]);
        }
      }
    }
    std::ranges::sort(pairs);
    if (!tried.insert(std::move(pairs)).second) {
      continue;
    }
    const memmodel::relations r = derived(m.what, order);
    if (!memmodel::first_broken(memmodel::ptx(), r)) {
      add_races(r, m.origin, out);
    }
  } while (std::ranges::next_permutation(fences).found);
  return out;
}

judged races_as_it_went(modelled m) {
  const memmodel::relation order = m.what.sc;
  judged out;
  add_races(derived(m.what, order), m.origin, out);
  return out;
}

judged races_without_fences(modelled m) {
  judged out;
  add_races(derived(m.what, memmodel::relation(m.what.events.size())), m.origin, out);
  return out;
}

} // namespace tilesim::random_executions
