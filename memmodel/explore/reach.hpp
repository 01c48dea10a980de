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
// First it is asked what each thread may do at all [possible_runs.hpp], and which of that goes
// together with the end [narrowing.hpp]: if nothing does, no execution ends so, not even a weak
// one. Where few runs are left it is tried whether the threads can make these [directed.hpp].
//
// All that is made is a sequentially consistent execution, which PTX's model allows. That none is
// found says nothing.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/explore/threads.hpp"
#include "memmodel/explore/wanted_memory.hpp"

#include <cstdint>
#include <functional>

namespace tilesim::memmodel::explore {

struct reach_counts {
  std::uint64_t executions = 0; ///< that have come to their ends
  std::uint64_t taken_back = 0; ///< choices
};

enum class reached : std::uint8_t {
  one_is,  ///< an execution that ends so: the last one that was shown to `wanted`
  none_is, ///< that the model allows
  unknown
};

/// Whose the threads are may end it by throwing. What each thread may do is gathered until
/// `stops_gathering` says so.
[[nodiscard]] reached reach(
    threads& program,
    wanted_memory& wanted,
    reach_counts& counts,
    const std::function<bool()>& stops_gathering = [] { return false; });

} // namespace tilesim::memmodel::explore
