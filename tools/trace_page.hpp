// A traced run as one HTML page: its data, its sources' text, and the script that shows them.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/trace_run.hpp"

#include <string>

namespace tilesim::driver {

/// The page loads nothing from anywhere. `command` is its title.
[[nodiscard]] std::string to_trace_page(const traced_run& run, const std::string& command);

} // namespace tilesim::driver
