// A traced run as one HTML page: its data, its sources' text, and the script that shows them.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/trace/run.hpp"

#include <string>

namespace tilesim::tools {

/// The page loads nothing from anywhere. `command` is its title. Of the elements of tiles it shows
/// as many as keep it below some megabytes, or all that the run has.
[[nodiscard]] std::string
to_trace_page(const traced_run& run, const std::string& command, bool all_elements);

} // namespace tilesim::tools
