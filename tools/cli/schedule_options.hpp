// A schedule as options of the simulator.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/schedule_string.hpp"

#include <nlohmann/json_fwd.hpp>

namespace tilesim::tools {

/// Adds the simulator's options for it. [sim/contract/options_text.cpp]
void set_options(const sim::schedule& s, nlohmann::json& options);

} // namespace tilesim::tools
