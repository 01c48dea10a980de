// Where processes that a program makes tell what they find: beside the report of its first one.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <unistd.h>

namespace tilesim::sim {

/// What follows the name of the first one's report in theirs.
inline constexpr const char* child_report_mark = ".child-";

/// This process's. Numbers of processes come again, the time does not.
[[nodiscard]] inline std::string child_report_path(const std::string& report) {
  return fmt::format("{}{}{}-{}",
                     report,
                     child_report_mark,
                     getpid(),
                     std::chrono::steady_clock::now().time_since_epoch().count());
}

/// What it has done, in a page beside its report. [run_counts.hpp]
[[nodiscard]] inline std::string child_counts_path(const std::string& own_report) {
  return own_report + ".counts";
}

} // namespace tilesim::sim
