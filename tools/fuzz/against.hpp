// The programs of a GPU's log, run here and compared.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/fuzz/log.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace tilesim::tools::fuzz {

struct run_request {
  std::size_t per_file = 32; ///< programs in one source
  std::size_t jobs = 0;      ///< at a time; 0: one for each processor
  std::string folder;        ///< where the sources lie; empty: in tilesim's cache, for a while
};

/// What programs print.
using printed = std::map<std::string, std::vector<std::string>>;

/// Runs them in the simulator, with `--arith hardware`: as that hardware flushes subnormals. What
/// else is said, findings for example, is among a program's lines.
[[nodiscard]] printed
simulate(const std::vector<program>& programs, const wishes& w, const run_request& request);

/// Prints what differs between a log and the simulator, and returns the exit status: 0, 1 where
/// something does, 3 where the log is not whole. Throws failure (65): a label is no program's.
int compare_with_log(const std::string& name, const log& there, const run_request& request);

} // namespace tilesim::tools::fuzz
