// Sequential consistency: one order of all events that program order and every read agree with
// (Lamport 1979).
//
// To teach and to compare with: scopes, orders and moral strength play no part.
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/model.hpp"

#include <array>

namespace tilesim::memmodel {
namespace {

std::optional<violation> one_order(const relations& r) {
  if (const auto e = (r.x->po | r.com | r.barrier).closure().reflexive_point())
    return violation{*e, *e};
  return std::nullopt;
}

std::vector<step> one_order_chain(const relations& r, const violation& at) {
  const std::array edges{named_relation{"po", &r.x->po},
                         named_relation{"rf", &r.x->rf},
                         named_relation{"co", &r.co},
                         named_relation{"fr", &r.fr},
                         named_relation{"bar", &r.barrier}};
  return shortest_path(edges, at.from, at.from);
}

std::optional<violation> read_modify_write(const relations& r) {
  if (const auto pair = (r.fr.then(r.co) & r.x->rmw).some())
    return violation{pair->first, pair->second};
  return std::nullopt;
}

std::vector<step> read_modify_write_chain(const relations& r, const violation& at) {
  for (event_id w = 0; w < r.x->events.size(); ++w)
    if (r.fr(at.from, w) && r.co(w, at.to))
      return {{at.from, "fr", w, {}}, {w, "co", at.to, {}}, {at.to, "rmw⁻¹", at.from, {}}};
  return {};
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
