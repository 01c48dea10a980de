// Shorter schedules for findings: fewest blocks and turns that still show one.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/check/report.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace tilesim::tools {

/// Turns worth a try in place of a witness's, the most promising first: the finding's threads one
/// after the other, then what remains of the witness's turns without the others.
[[nodiscard]] std::vector<std::vector<sim::turn>> first_candidates(const witness& w);

/// A witness's turns up to the last that was cut short, and one more; without some of the threads
/// that the finding does not speak of, many first; and without a single turn.
[[nodiscard]] std::vector<std::vector<sim::turn>> smaller_candidates(const witness& w);

/// Stale reads worth a try in place of `all`: only a half of them, or all but that; a quarter, …
/// one (Zeller and Hildebrandt's ddmin). The first that shows something begins anew.
[[nodiscard]] std::vector<std::vector<sim::stale_choice>>
fewer(const std::vector<sim::stale_choice>& all);

/// True if nothing shorter can show it: no stale read, one turn for each thread that the finding
/// speaks of, and no longer name than these have.
[[nodiscard]] bool is_minimal(const witness& w);

/// How long a trial lets blocks poll before it calls them deadlocked.
enum class polling : unsigned char {
  full,  ///< as every run of the check
  brief, ///< a deadlock that it shows may be none
};

/// How runs are made.
struct trials {
  /// Performs a schedule and adds what it shows to the report; false when there is no time for
  /// more.
  std::function<bool(const schedule&, polling)> perform;
  /// Hears which ones come next, in their order, unless one of them is better than what is known.
  std::function<void(const std::vector<schedule>&, polling)> expect;
};

/// Replaces the findings' witnesses by simpler ones, as far as runs find some. Replay strings stay
/// within 64 characters, but for the stale reads that they name. A deadlock's are looked for by
/// brief runs, and the last one is kept if a full run shows it.
void minimise(check_report& report, const trials& by);

} // namespace tilesim::tools
