// What surrounds a recorded program: its environment, the machine, its standard output, its calls.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu_backend/container/events.hpp"

#include <cstdint>
#include <string>

namespace tilesim::gpu {

/// $TILESIM_RECORD, or PROGRAM.rec in the current folder.
[[nodiscard]] const std::string& recording_path();
/// $TILESIM_RECORD_RUN: which run of several this is, from 0; those behind the first are recorded
/// behind it.
[[nodiscard]] std::uint64_t run_number();
[[nodiscard]] bool appends();

[[nodiscard]] machine_event machine_here();

/// The program's calls that lead here, the innermost first.
[[nodiscard]] call_place here();

/// From here on what the program writes to standard output is kept, and passed on by a process of
/// its own: nothing is lost when the program crashes.
void keep_output();
/// Ends that; gives what was written.
[[nodiscard]] std::string take_output();

} // namespace tilesim::gpu
