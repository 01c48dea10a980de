// Models by name, and the chains that make derived relations.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/model.hpp"

#include <algorithm>
#include <array>

namespace tilesim::memmodel {

const model* find_model(std::string_view name) {
  for (const model* m : {&ptx(), &ptx_values(), &sc()}) {
    if (m->name == name) {
      return m;
    }
  }
  return nullptr;
}

std::optional<broken_axiom> first_broken(const model& m, const relations& r) {
  for (const axiom& a : m.axioms) {
    if (const auto at = a.broken(r)) {
      return broken_axiom{&a, *at};
    }
  }
  return std::nullopt;
}

std::optional<violation> on_cycle(const relation& edges) {
  if (const auto e = edges.closure().reflexive_point()) {
    return violation{*e, *e};
  }
  return std::nullopt;
}

std::vector<step> write_between(const relation& fr, const relation& co, const violation& at) {
  for (event_id w = 0; w < fr.size(); ++w) {
    if (fr(at.from, w) && co(w, at.to)) {
      return {{at.from, "fr", w, {}}, {w, "co", at.to, {}}, {at.to, "rmw⁻¹", at.from, {}}};
    }
  }
  return {};
}

std::vector<step> shortest_path(std::span<const named_relation> edges, event_id from, event_id to) {
  if (edges.empty()) {
    return {};
  }
  const std::size_t n = edges.front().pairs->size();
  std::vector<step> reached(n); // the step by which an event was first reached; `to` unset: not yet
  std::vector<event_id> queue{from};
  for (std::size_t next = 0; next < queue.size() && reached[to].to == no_event; ++next) {
    const event_id a = queue[next];
    for (const named_relation& edge : edges) {
      edge.pairs->for_each_successor(a, [&](event_id b) {
        if (reached[b].to == no_event) {
          reached[b] = {a, edge.name, b, {}};
          queue.push_back(b);
        }
      });
    }
  }
  if (reached[to].to == no_event) {
    return {};
  }
  std::vector<step> path;
  event_id at = to;
  do {
    path.push_back(reached[at]);
    at = reached[at].from;
  } while (at != from);
  std::ranges::reverse(path);
  return path;
}

namespace {

/// (w, r) in observation order, as reads-from and the halves of read-modify-writes.
std::vector<step> observation_chain(const relations& r, event_id w, event_id read) {
  const relation rf = r.x->rf & r.ms;
  const std::array edges{named_relation{"rf", &rf}, named_relation{"rmw", &r.x->rmw}};
  return shortest_path(edges, w, read);
}

/// What makes a synchronisation by patterns: first to w, the observations, r to last.
std::vector<step> pattern_chain(const relations& r, event_id first, event_id last) {
  std::vector<step> chain;
  r.release.for_each_successor(first, [&](event_id w) {
    r.obs.for_each_successor(w, [&](event_id read) {
      if (!chain.empty() || !r.acquire(read, last)) {
        return;
      }
      if (first != w) {
        chain.push_back({first, "po", w, {}});
      }
      for (step& s : observation_chain(r, w, read)) {
        chain.push_back(std::move(s));
      }
      if (read != last) {
        chain.push_back({read, "po", last, {}});
      }
    });
  });
  return chain;
}

} // namespace

std::vector<step> base_chain(const relations& r, event_id from, event_id to) {
  const std::array edges{named_relation{"po", &r.x->po},
                         named_relation{"sync", &r.pattern},
                         named_relation{"sc", &r.x->sc},
                         named_relation{"bar", &r.barrier}};
  std::vector<step> chain = shortest_path(edges, from, to);
  for (step& s : chain) {
    if (s.edge == "sync") {
      s.through = pattern_chain(r, s.from, s.to);
    }
  }
  return chain;
}

std::vector<step> cause_chain(const relations& r, event_id from, event_id to) {
  if (r.base(from, to)) {
    return base_chain(r, from, to);
  }
  std::vector<step> chain;
  r.obs.for_each_successor(from, [&](event_id seen) {
    if (!chain.empty() || !r.base(seen, to) || !r.overlapping(seen, to)) {
      return;
    }
    chain = observation_chain(r, from, seen);
    for (step& s : base_chain(r, seen, to)) {
      chain.push_back(std::move(s));
    }
  });
  return chain;
}

} // namespace tilesim::memmodel
