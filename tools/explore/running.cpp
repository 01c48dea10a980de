// A program that explores.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/explore/running.hpp"

#include "sim/contract/exploration_report.hpp"
#include "tools/cli/wording.hpp"

#include <fmt/format.h>

namespace tilesim::tools {

namespace {

using std::chrono::steady_clock;
using phase = sim::exploration_phase;

} // namespace

std::string duration_text(double seconds) {
  constexpr double minute = 60;
  constexpr double hour = 60 * minute;
  constexpr double day = 24 * hour;
  constexpr double too_long = 1000 * day;
  return seconds < 2 * minute ? fmt::format("{:.0f} s", seconds)
         : seconds < 2 * hour ? fmt::format("{:.0f} min", seconds / minute)
         : seconds < 2 * day  ? fmt::format("{:.0f} h", seconds / hour)
         : seconds < too_long ? fmt::format("{:.0f} days", seconds / day)
                              : "years";
}

void limit_time(run_request& program, double seconds, const sim::exploration_progress& page) {
  program.tells = [&page] { return page.telling.load(); };
  if (seconds > 0) {
    program.deadline = deadline_in(seconds);
  }
}

std::string why_killed(const sim::exploration_progress& page, bool interrupted) {
  const std::string what =
      interrupted ? sim::in_exploration::why_pressed : sim::in_exploration::why_time;
  if (page.telling) {
    return what + " while what was explored was written down";
  }
  switch (page.phase.load()) {
  case phase::host:
    return what + " before the program has waited for a kernel";
  case phase::behind:
    return what + ", and host code has not come to its end";
  case phase::launches:
  case phase::buffering:
    break;
  }
  return fmt::format("{} after {}, and the program did not stop to tell what they end in",
                     what,
                     counted(page.executions, "execution"));
}

std::string progress_text(const sim::exploration_progress& page, double seconds) {
  const std::string states = counted(page.states, "state");
  if (page.telling) {
    return fmt::format("tilesim: writing down {};", states);
  }
  const phase now = page.phase;
  if (now == phase::host) {
    return "tilesim: exploring";
  }
  if (now == phase::behind) {
    return fmt::format(
        "tilesim: exploring: host code behind {} of {};", page.followed.load(), states);
  }
  std::string text = fmt::format("tilesim: exploring{}: {}, {}",
                                 now == phase::buffering ? " with load buffering" : "",
                                 counted(page.executions, "execution"),
                                 states);
  constexpr double least = 1e-6; // is no estimate
  if (const double share = page.share; share > least && share < 1) {
    text += fmt::format(
        ", about {:.2g} %, {} to go", 100 * share, duration_text(seconds * (1 - share) / share));
  }
  return text + ";";
}

// The program's own words come before its kernels alone: the line would stand among them.
void exploration_line::tick() {
  const phase now = page_.phase;
  if (now != phase_) {
    phase_ = now;
    since_ = steady_clock::now();
  }
  if (now != phase::host) {
    const std::chrono::duration<double> gone = steady_clock::now() - since_;
    line_.tick(progress_text(page_, gone.count()));
  }
}

} // namespace tilesim::tools
