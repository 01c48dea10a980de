// What a pointer points to, as the program declares it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/expressions/value.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tilesim::sim::step {

/// What a pointer points to, as its declaration has it.
struct pointed_element {
  std::string spelling;                  ///< "int", "particle"
  std::size_t bytes = 0;                 ///< 0: nobody knows
  std::optional<value_type> type = {};   ///< unless it is a class
  std::vector<std::size_t> padding = {}; ///< its bytes that are no member's, ascending
};

} // namespace tilesim::sim::step
