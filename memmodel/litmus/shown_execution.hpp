// An execution of a litmus test as it is shown: with the code that its events came from and the
// state that it ends in.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/execution.hpp"
#include "memmodel/litmus/traces.hpp"
#include "memmodel/race.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace tilesim::memmodel::litmus {

/// An execution to show: with the code that each event came from, and one final state of it.
struct shown_execution {
  execution what;
  std::vector<std::uint32_t>
      code; ///< by event: index into its thread's code; of initial writes, the location
  std::vector<value> final;    ///< by all_observables()
  std::vector<trace_end> ends; ///< by thread: how its run ends
  std::optional<memmodel::race> race;
};

} // namespace tilesim::memmodel::litmus
