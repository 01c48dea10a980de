// The derived relations of the PTX memory consistency model, in the order of its chapter.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/relations.hpp"

namespace tilesim::memmodel {
namespace {

/// The pairs of different events that satisfy `holds`.
template <class F>
relation pairs(const execution& x, F holds) {
  relation out(x.events.size());
  for (event_id a = 0; a < x.events.size(); ++a) {
    for (event_id b = 0; b < x.events.size(); ++b) {
      if (a != b && holds(a, b)) {
        out.add(a, b);
      }
    }
  }
  return out;
}

bool mutually_inclusive(const execution& x, event_id a, event_id b) {
  return includes(x.events[a].scope, x.place_of(a), x.place_of(b)) &&
         includes(x.events[b].scope, x.place_of(b), x.place_of(a));
}

} // namespace

relation morally_strong(const execution& x) {
  return pairs(x, [&](event_id a, event_id b) {
    const event& p = x.events[a];
    const event& q = x.events[b];
    if (p.initial() || q.initial() || p.proxy != q.proxy) {
      return false;
    }
    if (p.is_memory() && q.is_memory() && p.bytes != q.bytes) {
      return false;
    }
    return x.po(a, b) || x.po(b, a) || (p.strong() && q.strong() && mutually_inclusive(x, a, b));
  });
}

relation release_patterns(const execution& x) {
  relation out = pairs(x, [&](event_id a, event_id w) {
    const event& first = x.events[a];
    const event& last = x.events[w];
    return last.is_write() && last.strong() && first.releases() && x.po(a, w) &&
           (first.is_fence() || (first.is_write() && overlap(first.bytes, last.bytes)));
  });
  for (event_id w = 0; w < x.events.size(); ++w) {
    if (x.events[w].is_write() && x.events[w].releases()) {
      out.add(w, w);
    }
  }
  return out;
}

relation acquire_patterns(const execution& x) {
  relation out = pairs(x, [&](event_id r, event_id b) {
    const event& first = x.events[r];
    const event& last = x.events[b];
    return first.is_read() && first.strong() && !first.reduction && last.acquires() && x.po(r, b) &&
           (last.is_fence() || (last.is_read() && overlap(first.bytes, last.bytes)));
  });
  for (event_id r = 0; r < x.events.size(); ++r) {
    if (x.events[r].is_read() && x.events[r].acquires() && !x.events[r].reduction) {
      out.add(r, r);
    }
  }
  return out;
}

relation barrier_edges(const execution& x) {
  return x.api | pairs(x, [&](event_id a, event_id b) {
           const event& p = x.events[a];
           const event& q = x.events[b];
           return p.kind == event_kind::barrier && q.kind == event_kind::barrier &&
                  p.instance != 0 && p.instance == q.instance && p.thread != q.thread && !p.late &&
                  q.waits;
         });
}

relation observation(const execution& x, const relation& ms) {
  relation obs = x.rf & ms;
  for (std::size_t before = 0, now = obs.count(); now != before;) {
    obs |= obs.then(x.rmw).then(obs);
    before = std::exchange(now, obs.count());
  }
  return obs;
}

relations::relations(const execution& e)
    : x(&e)
    , overlapping(pairs(e,
                        [&](event_id a, event_id b) {
                          return e.events[a].is_memory() && e.events[b].is_memory() &&
                                 overlap(e.events[a].bytes, e.events[b].bytes);
                        }))
    , complete(pairs(e,
                     [&](event_id a, event_id b) {
                       return overlapping(a, b) && e.events[a].bytes == e.events[b].bytes;
                     }))
    , ms(morally_strong(e))
    , release(release_patterns(e))
    , acquire(acquire_patterns(e))
    , barrier(barrier_edges(e))
    , writes(pairs(e,
                   [&](event_id a, event_id b) {
                     return overlapping(a, b) && e.events[a].is_write() && e.events[b].is_write();
                   }))
    , dependency(e.addr | e.data | e.ctrl) {}

void relations::add_reads() {
  obs = observation(*x, ms);
  // Every link of the chain is morally strong (obs), and so are its two ends with each other.
  pattern = release.then(obs).then(acquire) & ms;
}

void relations::add_fences() {
  sync = pattern | x->sc | barrier;
  base = (x->po | sync).closure();
  const relation preserved = base & overlapping;
  cause = preserved | obs.then(preserved);
}

void relations::add_coherence() {
  co = x->co | (cause & writes);
  for (event_id w = 0; w < x->events.size(); ++w) {
    if (x->events[w].initial()) {
      for (event_id v = 0; v < x->events.size(); ++v) {
        if (writes(w, v) && !x->events[v].initial()) {
          co.add(w, v);
        }
      }
    }
  }
  co.close();
  fr = relation(x->events.size());
  for (event_id r = 0; r < x->events.size(); ++r) {
    if (!x->events[r].is_read()) {
      continue;
    }
    const byte_range& bytes = x->events[r].bytes;
    for (std::uint32_t i = 0; i < bytes.size; ++i) {
      const event_id from = x->source[r][i];
      if (from == no_event) {
        continue;
      }
      co.for_each_successor(from, [&](event_id later) {
        if (overlap(x->events[later].bytes, {bytes.address + i, 1})) {
          fr.add(r, later);
        }
      });
    }
  }
  com = x->rf | co | fr;
}

} // namespace tilesim::memmodel
