// How launches are to end, where somebody knows it: one execution that does, looked for without
// looking at all; or that none does.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/execution/launch_taker.hpp"

#include <functional>
#include <optional>

namespace tilesim::sim {
class context;
class lone_runs;
} // namespace tilesim::sim

namespace tilesim::sim::exploring {

class kernel_threads;

/// Where somebody knows how the submitted launches are to end, and an execution that comes to that
/// has been found: its memory, and how many executions have been looked at. Or that there is none.
/// `serve` gives the threads to whoever has to know them, `expired` is asked now and then whether
/// to go on, and it takes so many seconds at most.
[[nodiscard]] std::optional<found_ends> reach_end(context& c,
                                                  lone_runs& runs,
                                                  const std::function<void(kernel_threads*)>& serve,
                                                  const std::function<bool()>& expired,
                                                  double seconds);

} // namespace tilesim::sim::exploring
