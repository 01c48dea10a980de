// Values' names in Tile IR's text: "%blockId_x", "%cst_1_i32", "%7", "%for#2".
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/tileir/module.hpp"

#include <string>
#include <vector>

namespace tilesim::tileir {

struct value_names {
  std::vector<std::string> of; ///< by value_id, with its '%'
  /// What stands in front of " = " where an operation defines values.
  [[nodiscard]] std::string defined_by(const operation& o) const;
};

[[nodiscard]] value_names name_values(const module& m, const entry& e);

} // namespace tilesim::tileir
