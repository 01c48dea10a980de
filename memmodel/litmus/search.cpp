// Where a search is, for showing.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/litmus/search.hpp"

#include <optional>
#include <utility>

namespace tilesim::memmodel::litmus {

shown_execution show(const search& s, const execution& x, const std::vector<value>& final) {
  std::vector<trace_end> ends;
  for (const trace* t : s.chosen) {
    ends.push_back(t->end);
  }
  return {x, s.code, final, std::move(ends), std::nullopt};
}

} // namespace tilesim::memmodel::litmus
