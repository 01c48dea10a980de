// Turns that end before operations without memory: runs in which the strategy is asked there, too.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/schedule_string.hpp"

#include <algorithm>
#include <vector>

namespace tilesim::sim {

[[nodiscard]] inline bool asks_before_compute_in(const std::vector<turn>& turns) {
  return std::ranges::any_of(turns, [](const turn& t) { return t.until && t.until->any; });
}

} // namespace tilesim::sim
