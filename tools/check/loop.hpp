// The check itself: a program under one schedule after the other, and what they found together.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/check/report.hpp"
#include "tools/check/run.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace tilesim::tools {

struct check_settings {
  std::size_t schedules = 8; ///< at least
  /// Fewer, where one does not come to an end and `seconds` have passed.
  bool fewer_if_endless = false;
  /// The same where all runs together have made so many operations: a bound that is the same on
  /// every machine. 0: none.
  std::uint64_t operations_if_endless = 0;
  std::string to_run_all; ///< what a person writes to have them nevertheless
  double seconds = 0;     ///< and further ones until so many have passed
  std::size_t jobs = 1;   ///< runs at once, at most; 0: as many as there are processors
  /// Every schedule with at most so many preemptions instead: at most `schedules` of them, or
  /// `seconds` long, unless these are 0.
  std::optional<unsigned> preemptions;
  std::string resume; ///< a file: what a search has left to do, and takes up again
  std::uint64_t seed = 0;
  unsigned depth = 3;               ///< of pct
  bool weak = true;                 ///< some schedules are weak
  double timeout = 0;               ///< seconds for all runs together; 0: no limit
  std::string replay;               ///< only this schedule; empty: all
  std::optional<std::string> input; ///< what the program reads on standard input; none: this
                                    ///< process's own, recorded
  bool keep_schedules = false;      ///< look for no shorter ones
  bool show_first = true;           ///< pass on what the first run prints
  bool show_progress = true;        ///< on a terminal
};

/// Runs `request` again and again, with the options that it has for the simulator and those of a
/// check. `report` says what is checked: sources, command, hash. Throws failure (usage) for a
/// replay string that is none of this program's.
[[nodiscard]] check_report
run_check(const check_settings& settings, run_request request, check_report report);

} // namespace tilesim::tools
