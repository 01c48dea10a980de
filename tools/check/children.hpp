// What processes tell that the checked program has made. [sim/contract/child_reports.hpp]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tilesim::tools {

struct child_run {
  nlohmann::json report; ///< [sim/contract/report_members.hpp]
  int signal = 0;        ///< that has ended it where something went wrong; 0: none is known of
  bool runs = false;     ///< it has not ended
};

/// Of a program that has ended, whose own report is that one: those of its processes that have
/// launched, in the order in which they began to tell.
[[nodiscard]] std::vector<child_run> children_beside(const std::string& report);

/// While the program runs: has a finding, or a limit, ended one of them?
[[nodiscard]] bool any_child_stopped(const std::string& report);

/// Removes what they have left.
void remove_children_beside(const std::string& report) noexcept;

/// Fills in what a process that has left without exit() could not tell. `path`: its page
/// [sim/contract/run_counts.hpp]. Gives the signal that is noted there.
int add_counts(nlohmann::json& report, const std::string& path);

} // namespace tilesim::tools
