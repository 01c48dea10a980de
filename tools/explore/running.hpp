// A program that explores: when it is ended, and how far it is meanwhile.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/exploration_progress.hpp"
#include "tools/check/run.hpp"
#include "tools/cli/terminal.hpp"

#include <chrono>
#include <string>

namespace tilesim::tools {

/// One that is to explore for so many seconds from now on, all in all; 0: until it has come to its
/// end. It looks at the time itself, where it can, and says in the page when it writes down what it
/// has come to.
void limit_time(run_request& program, double seconds, const sim::exploration_progress& page);

/// Why one that was ended by force has told nothing.
[[nodiscard]] std::string why_killed(const sim::exploration_progress& page, bool interrupted);

/// What it does at present: so many executions, which part of what there is, and how long the rest
/// may take, as it has come so far in `seconds`.
[[nodiscard]] std::string progress_text(const sim::exploration_progress& page, double seconds);

/// "35 s", "12 min", "3 days".
[[nodiscard]] std::string duration_text(double seconds);

/// Says so on a terminal.
class exploration_line {
public:
  explicit exploration_line(const sim::exploration_progress& page)
      : page_(page)
      , line_("tilesim: exploring") {}
  void tick();
  void erase() { line_.erase(); }

private:
  const sim::exploration_progress& page_;
  progress line_;
  sim::exploration_phase phase_ = sim::exploration_phase::host;
  std::chrono::steady_clock::time_point since_; ///< that phase
};

} // namespace tilesim::tools
