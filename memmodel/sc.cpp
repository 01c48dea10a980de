// Sequential consistency: one order of all events that program order and every read agree with
// (Lamport 1979).
//
// To teach and to compare with: scopes, orders and moral strength play no part.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/model.hpp"

#include <array>

namespace tilesim::memmodel {
namespace {

/// What barriers order: an arrival, and so all before it, precedes all that stands after a wait of
/// its instance. The waits of one instance have no order among each other: each comes after the
/// arrivals of all.
relation barrier_order(const relations& r) {
  return r.x->api | (r.barrier - r.x->api).then(r.x->po);
}

std::optional<violation> one_order(const relations& r) {
  return on_cycle(r.x->po | r.com | barrier_order(r));
}

std::vector<step> one_order_chain(const relations& r, const violation& at) {
  const relation barriers = barrier_order(r);
  relation co = r.co; // transitive: on a cycle a write would be one step from itself
  for (event_id e = 0; e < co.size(); ++e) {
    co.remove(e, e);
  }
  const std::array edges{named_relation{"po", &r.x->po},
                         named_relation{"rf", &r.x->rf},
                         named_relation{"co", &co},
                         named_relation{"fr", &r.fr},
                         named_relation{"bar", &barriers}};
  return shortest_path(edges, at.from, at.from);
}

std::optional<violation> read_modify_write(const relations& r) {
  if (const auto pair = (r.fr.then(r.co) & r.x->rmw).some()) {
    return violation{pair->first, pair->second};
  }
  return std::nullopt;
}

std::vector<step> read_modify_write_chain(const relations& r, const violation& at) {
  return write_between(r.fr, r.co, at);
}

constexpr std::array axioms{
    axiom{"Sequential consistency", "acyclic(po | rf | co | fr | bar)", one_order, one_order_chain},
    axiom{"Atomicity (read-modify-write)",
          "empty(fr ; co & rmw)",
          read_modify_write,
          read_modify_write_chain},
};

} // namespace

const model& sc() {
  static constexpr model m{"sc",
                           "sequential consistency",
                           axioms,
                           /*fence_order=*/false,
                           /*total_coherence=*/true};
  return m;
}

} // namespace tilesim::memmodel
