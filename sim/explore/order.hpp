// What `tilesim explore` has asked of this process.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/exploration.hpp"

#include <optional>

namespace tilesim::sim::exploring {

/// Nothing: nobody explores. An order that cannot be read ends the process as tilesim's own bug:
/// taken for none, the program would run once, and whoever asked would take that for all there is.
[[nodiscard]] std::optional<exploration_order> order_from_environment();

} // namespace tilesim::sim::exploring
