// Conditions of graphs, while a launch goes on.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/runtime/graph.hpp"

#include <memory>
#include <vector>

namespace tilesim::sim {

class context;

/// Conditions begin a launch with their values, or without one. As work of the stream.
void begin_conditions(context& c, const std::vector<std::shared_ptr<condition>>& conditions);
/// What the condition is for the node that asks it, as work of the stream.
[[nodiscard]] unsigned ask_condition(context& c, const conditional_parameters& node);

} // namespace tilesim::sim
