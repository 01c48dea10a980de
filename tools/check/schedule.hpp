// The schedules of a check.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/schedule_string.hpp"

#include <cstdint>

namespace tilesim::tools {

using sim::replay;
using sim::schedule;
using sim::strategy;

/// What the schedules of a check are drawn from.
struct schedule_source {
  std::uint64_t seed = 0;
  unsigned depth = 3;      ///< of pct
  std::uint64_t steps = 1; ///< memory operations of the first run
  bool weak = true;        ///< some schedules are weak
};

/// The `index`th schedule of a check: 0 is that of `tilesim run`, round robin; odd ones are random
/// and bursts in turn, even ones pct: of the depth, and of one place
/// in 16 and one in 8 of the memory operations. From the eighth on every third one is weak; those
/// of pct are then of depth 1.
[[nodiscard]] schedule nth_schedule(std::size_t index, const schedule_source& from);

} // namespace tilesim::tools
