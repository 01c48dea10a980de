// Writes a check's report as one self-contained HTML page.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/check/report.hpp"

#include <string>

namespace tilesim::tools {

/// Findings with both sides' lines of the source, as far as it can be read from here, what to do,
/// and how to replay; what was explored. It loads nothing and runs nothing.
[[nodiscard]] std::string to_html(const check_report& r);

} // namespace tilesim::tools
