// Checkpoints: copies of this process that sleep until somebody wants to go on from there.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/step_protocol.hpp"
#include "sim/step/link.hpp"

#include <cstdint>
#include <functional>

namespace tilesim::sim::step {

enum class side : std::uint8_t {
  original, ///< the process that asked for the checkpoint
  resumed   ///< a process that goes on from it, any time later
};

/// Forks a checkpoint at `position`. Returns at once in the original, and in every process that is
/// resumed from the checkpoint, which has the same memory, open files at the same offsets where
/// they can be set (standard streams), and a line of its own to the stepper. While it sleeps,
/// `answer` says what return addresses stand for.
side make_checkpoint(link& line,
                     std::uint64_t position,
                     const std::function<protocol::place_list(const protocol::places&)>& answer);

/// From now on this process ends when its parent, the stepper, does: also in the middle of a loop.
void die_with_the_stepper();

} // namespace tilesim::sim::step
