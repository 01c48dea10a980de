// Results that only weak schedules have shown: which of them are findings.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/check/compare.hpp"
#include "tools/check/report.hpp"
#include "tools/check/schedule.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace tilesim::tools {

/// A run under a weak schedule that has had another result than the first one.
struct weak_difference {
  schedule which;
  difference what;
  std::vector<sim::stale_choice> stale; ///< its stale reads
  std::vector<stale_read> told;         ///< the last of them, in words
  bool by_status = false;               ///< it has ended with another status
};

/// Whether a run under a schedule differs from the first one as `as` says; nothing: there is no
/// time for it.
using differs_under =
    std::function<std::optional<weak_difference>(const schedule& which, const weak_difference& as)>;

/// The same difference with as few stale reads as show it, in so many runs at most.
[[nodiscard]] weak_difference
with_fewest_stale_reads(weak_difference d, const differs_under& run, std::size_t most_runs = 48);

/// The finding. `sequential`: how many runs of sequentially consistent schedules agree.
[[nodiscard]] checked_finding weak_finding(const weak_difference& d, std::size_t sequential);

} // namespace tilesim::tools
