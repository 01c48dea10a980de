// The values that a launch passes, held against those that it passed on another machine.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/compare/fed_contents.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace tilesim::sim {
class context;
struct launch_state;
} // namespace tilesim::sim

namespace tilesim::sim::compare {

struct differing_argument {
  std::size_t index = 0; ///< from 0
  std::string name;      ///< the kernel's; empty: it has none
  std::string type;      ///< "float"
  std::string here;      ///< as text
  std::string there;
};

/// Numbers by their bytes, pointers by what they point to; of classes nothing is known, nor of what
/// stands behind one. `there`: the bytes of each; empty: not known.
[[nodiscard]] std::vector<differing_argument>
differing_arguments(context& c,
                    const launch_state& l,
                    std::span<const std::string> there,
                    const counterparts& same);

} // namespace tilesim::sim::compare
