// How many reads of an execution are stale: take a write although a later one is there.
//
// An order of an execution's events is one in which each comes behind what program order,
// reads-from and barriers put before it. In it a read is stale if it takes a write and another one,
// which comes later in coherence order and is morally strong to the read, has come before the read.
// Of all such orders the one counts in which the fewest are: a sequentially consistent execution
// has none.
//
// A part of an execution has no more of them than the whole, and a read that takes the last of the
// writes that are there, or a write behind all others, adds none: a graph that has too many leads
// to no execution that has not.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/graph/graph.hpp"

#include <cstddef>

namespace tilesim::memmodel::explore {

/// Whether at most so many reads of the graph are stale. Reads that have no source yet are not.
[[nodiscard]] bool at_most_stale(const graph& g, std::size_t most);

} // namespace tilesim::memmodel::explore
