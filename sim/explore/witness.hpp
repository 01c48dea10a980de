// An execution as a schedule: turns, and reads that take older writes.
//
// A weak schedule executes one step after the other: a write is the newest of its place, an update
// and a weak read take the newest, a strong read any. Not every execution can be had so.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/graph/graph.hpp"
#include "sim/contract/schedule_string.hpp"
#include "sim/explore/step.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tilesim::sim::exploring {

/// A thread of an execution.
struct thread_way {
  std::uint64_t launch = 0;
  std::uint64_t linear = 0;
  std::uint64_t of_a_block = 1;   ///< threads
  std::vector<const step*> steps; ///< the last one is its end, or where it goes no further
};

/// Events of the graph have the tags that an explorer gives them. `last`: by place writes of which
/// one is to be the last. As few reads take older writes as have been found to do; none under a
/// model of one order. Nothing: no schedule of that kind has been found.
[[nodiscard]] std::optional<schedule>
witness_of(const memmodel::graph& g,
           const std::vector<thread_way>& threads,
           std::span<const std::vector<memmodel::event_id>> last = {});

/// The same, or one of an execution that ends in the same state, whose sequentially consistent
/// fences have another order.
[[nodiscard]] std::optional<schedule>
witness_of_state(const memmodel::graph& g,
                 const std::vector<thread_way>& threads,
                 std::span<const std::vector<memmodel::event_id>> last);

} // namespace tilesim::sim::exploring
