// A check's report as JSON and as SARIF.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/check/report.hpp"

#include <string>

namespace tilesim::tools {

/// The schema is docs/check.md's.
[[nodiscard]] std::string to_json(const check_report& r);

/// SARIF 2.1.0 (OASIS standard): one run with a result for each finding; those that are suppressed
/// say so. Paths are relative to the current folder where they are below it.
[[nodiscard]] std::string to_sarif(const check_report& r);
/// SARIF of a check that could not begin: no results, and an invocation that says why.
[[nodiscard]] std::string
sarif_of_failure(const std::string& command, int exit_code, const std::string& why);

} // namespace tilesim::tools
