// Data races of one execution.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/race.hpp"

namespace tilesim::memmodel {

relation races(const relations& r) {
  const auto& events = r.x->events;
  // An atomic is one operation: who comes after its write, which he may have observed, comes after
  // its read, too.  [PTX: causality order relates operations]
  const relation ordered = r.cause | r.x->rmw.then(r.cause);
  relation out(events.size());
  r.overlapping.for_each([&](event_id a, event_id b) {
    const bool conflict = (events[a].is_write() || events[b].is_write()) && !events[a].initial() &&
                          !events[b].initial();
    if (conflict && !r.ms(a, b) && !ordered(a, b) && !ordered(b, a)) {
      out.add(a, b);
    }
  });
  return out;
}

std::optional<race> find_race(const relations& r) {
  const relation all = races(r);
  const auto pair = (all - r.complete).some();
  const auto any = pair ? pair : all.some();
  if (!any) {
    return std::nullopt;
  }
  const event& a = r.x->events[any->first];
  const event& b = r.x->events[any->second];
  race found{any->first, any->second, race_reason::weak, pair.has_value()};
  if (a.strong() && b.strong()) {
    const place& p = r.x->place_of(any->first);
    const place& q = r.x->place_of(any->second);
    found.reason = includes(a.scope, p, q) && includes(b.scope, q, p) ? race_reason::overlap
                                                                      : race_reason::scope;
  }
  return found;
}

} // namespace tilesim::memmodel
