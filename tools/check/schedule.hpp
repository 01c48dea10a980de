// The schedules of a check.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/schedule_string.hpp"

#include <cstdint>

namespace tilesim::driver {

using sim::replay;
using sim::schedule;
using sim::strategy;

/// The `index`th schedule of a check: 0 is that of `tilesim run`, round robin; odd ones are random
/// and bursts in turn, even ones pct: of the depth, and of one place
/// in 16 and one in 8 of the memory operations. `steps` is the number of memory operations of the
/// first run.
[[nodiscard]] schedule
nth_schedule(std::size_t index, std::uint64_t seed, unsigned depth, std::uint64_t steps);

} // namespace tilesim::driver
