// One execution that ends with given memory, looked for: what a thread writes tells whether it has
// come in its turn.
//
// Threads go on one after the other, by moves [foresight.hpp]. A move that leaves in a place
// something else than is to be there has come too early or too late: another thread goes first. So
// a ticket is drawn by the thread whose value its place holds in the end, and an element is pushed
// onto a list by the thread that links it to what is then the first. Moves that write nothing of
// that kind come where no others can, and behind them those that leave in a place that several
// write what is to be there in the end. Where nobody can go on, the last choice is taken back at
// which a thread that stands still now could have gone on.
//
// What is to be in places whose end is not known (shared memory of a block) follows from executions
// that have come to another end [wishes.hpp].
//
// All that is made is a sequentially consistent execution, which PTX's model allows. That none is
// found says nothing.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/explore/threads.hpp"
#include "memmodel/explore/wanted_memory.hpp"

#include <cstdint>

namespace tilesim::memmodel::explore {

struct reach_counts {
  std::uint64_t executions = 0; ///< that have come to their ends
  std::uint64_t taken_back = 0; ///< choices
};

/// Whether an execution has been found that ends so: the last one that was shown to `wanted`. Whose
/// the threads are may end it by throwing.
[[nodiscard]] bool reach(threads& program, wanted_memory& wanted, reach_counts& counts);

} // namespace tilesim::memmodel::explore
