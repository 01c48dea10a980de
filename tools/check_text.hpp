// A check's report as text.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/check_report.hpp"

#include <string>

namespace tilesim::driver {

/// Findings, one summary line for each, and what was explored; with colours.
[[nodiscard]] std::string to_text(const check_report& r, bool strict);

} // namespace tilesim::driver
