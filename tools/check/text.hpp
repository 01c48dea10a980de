// A check's report as text.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/check/report.hpp"

#include <string>

namespace tilesim::tools {

/// Findings, one summary line for each, and what was explored; with colours.
[[nodiscard]] std::string to_text(const check_report& r);

/// Of a finding that no sequentially consistent execution has shown: how many stale reads it takes.
[[nodiscard]] std::string weakness(const checked_finding& f);

/// "3 times, in 2 of 8 schedules".
[[nodiscard]] std::string how_often(const checked_finding& f, const check_report& r);

/// "ended with status 7", "ended by SIGABRT".
[[nodiscard]] std::string status_text(int status);

/// How much was run: "8 schedules (1 round-robin, 4 random, 3 pct), 64 tile operations, …".
[[nodiscard]] std::string explored(const check_report& r);

/// "2 findings, 1 note", or that nothing was checked.
[[nodiscard]] std::string verdict_text(const check_report& r);

} // namespace tilesim::tools
