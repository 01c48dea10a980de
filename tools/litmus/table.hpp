// A table of verdicts for a folder of litmus tests: `--expect FILE.csv`.
//
//   test,quantifier,condition,race,terminates
//   Barrier/quorum1-hang.litmus,exists,forbidden,free,0
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/litmus/report.hpp"

#include <map>
#include <string>
#include <string_view>

namespace tilesim::tools {

/// Rows by test: the path below the folder, with '/'.
using expected_table = std::map<std::string, expected_row, std::less<>>;

/// Reads a table; `file` is its name in messages.
/// @throws failure (input) with file, line and what was expected
[[nodiscard]] expected_table read_table(const std::string& file, std::string_view text);

} // namespace tilesim::tools
