// What a run of a comparison makes another value, to see what depends on it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tilesim::sim {

enum class altered_values : std::uint8_t {
  nothing,
  numbers,  ///< results that may be off are others within their enclosures. So exact values that
            ///< would have their bytes by chance have them no more: what is derived holds of the
            ///< same executions, and is narrower
  least,    ///< … the lowest numbers of these, …
  greatest, ///< … or the highest: one of them lies beyond whatever lies between
  olds,     ///< what atomic updates of whole numbers by plain code give: it tells of their order
  no_olds,  ///< … all of it zero, …
  many_olds ///< … or the greatest signed number: whatever has a limit lies between
};

} // namespace tilesim::sim
