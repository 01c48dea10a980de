// A variable of the source, with its value.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/expressions/value.hpp"

#include <string>

namespace tilesim::sim::step {

struct variable {
  std::string name;
  std::string type; ///< as the debug information spells it: "tile<float, shape<8>>"
  unsigned line = 0;
  bool parameter = false;
  value now;
};

} // namespace tilesim::sim::step
