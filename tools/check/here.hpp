// Runs of a body in this process itself, one after the other.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/check/run.hpp"
#include "tools/cli/files.hpp"

namespace tilesim::tools {

class runs_in_this_process {
public:
  /// Calls request.body_here. What is printed meanwhile on both streams is taken down and not
  /// shown, standard input is empty, and Ctrl-C does what it did before the check.
  [[nodiscard]] program_run run(const run_request& request);

private:
  temporary_folder reports_{"check"};
};

} // namespace tilesim::tools
