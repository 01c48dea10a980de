// Where operands of a finding come from.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/machine/origins.hpp"

#include "sim/execution/run_desk.hpp"

#include <fmt/format.h>

namespace tilesim::sim {

dependence dependence_of(const sim_thread& t, const machine::in& operand) {
  const value_follower* const values = t.owner->exec->desk().values;
  return values == nullptr ? dependence{} : values->depends(t, operand);
}

dependence dependence_of_scalar(const sim_thread& t, std::int64_t value) {
  machine::tile_type type{};
  type.is_scalar = true;
  type.count = 1;
  for (const element e : {element::i64, element::i32}) {
    type.elem = e; // the low bytes come first
    if (dependence d = dependence_of(t, {&type, &value}); d.any()) {
      return d;
    }
  }
  return {};
}

void tell_origin(finding_text& text, std::string_view who_depends, const dependence& d) {
  text.details.push_back(fmt::format("{} on an unspecified value, from {}", who_depends, d.origin));
  if (*d.remedy != '\0') {
    text.remedy = d.remedy;
  }
}

} // namespace tilesim::sim
