// What a model refuses: candidates that satisfy a condition, and the axiom that each breaks.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/litmus/shown_execution.hpp"
#include "memmodel/litmus/traces.hpp"
#include "memmodel/model.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilesim::memmodel::litmus {

/// A candidate that satisfies the condition, and the axiom that it breaks.
struct refused_candidate {
  shown_execution what;
  const axiom* broken = nullptr;
  std::vector<step> cycle;
};

/// Every candidate (values, reads-from, and as much of the order of fences and of coherence as it
/// took) whose final state satisfies the condition and that the model refuses; at most `most` of
/// them, and how many there were.
struct refusals {
  std::vector<refused_candidate> candidates;
  std::uint64_t count = 0;
};
[[nodiscard]] refusals
explain(const test& t, const memmodel::model& m, const limits& l = {}, std::size_t most = 16);

} // namespace tilesim::memmodel::litmus
