// Turns that end before operations without memory: runs in which the strategy is asked there, too.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/schedule_string.hpp"
#include "sim/core/control.hpp"

#include <memory>
#include <vector>

namespace tilesim::sim {

/// Who holds the reins of a run under these turns, if somebody has to; nullptr: nobody.
[[nodiscard]] std::unique_ptr<run_control> make_compute_points(const std::vector<turn>& turns);

} // namespace tilesim::sim
