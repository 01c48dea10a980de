// A program's simulation, held against a recording.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/arguments.hpp"
#include "tools/diff/report.hpp"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tilesim::tools::diff {

struct comparison_request {
  std::string recording;
  std::string program;  ///< the words of the command that `tilesim step` takes, too
  bool no_arith = true; ///< --arith is not among them
  bool verbose = false; ///< print the commands that are run
  std::optional<std::uint64_t> run = {}; ///< the only one of the recording's that counts, from 0
  double search_seconds = 5;             ///< how long a launch's executions are looked at, at most
  bool races = false;                    ///< also of launches that are the same
};

/// Runs the program with the recording's launches; a second time, in detail, where something
/// differs; and under other schedules where the outcome may depend on them. `simulator`: its
/// options. Throws failure: 64 no such file, 65 it is no recording or the program does not compile.
/// A report for each run of the recording.
[[nodiscard]] std::vector<report>
compare(const arguments& given, const nlohmann::json& simulator, const comparison_request& request);

} // namespace tilesim::tools::diff
