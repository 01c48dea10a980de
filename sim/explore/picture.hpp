// An execution to be drawn: accesses of shared places by thread, and what relates them.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/graph/graph.hpp"
#include "sim/explore/witness.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tilesim::sim {
class context;
}

namespace tilesim::sim::exploring {

/// in_picture [sim/contract/exploration_report.hpp]. An update is one event.
[[nodiscard]] nlohmann::json picture_of(context& c,
                                        const memmodel::graph& g,
                                        const std::vector<thread_way>& ways,
                                        const std::vector<std::string>& names);

} // namespace tilesim::sim::exploring
