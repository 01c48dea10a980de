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
[[nodiscard]] machine_event machine_here();

/// The program's calls that lead here, the innermost first.
[[nodiscard]] call_place here();

/// Lines by offset of the code, as `tilesim gpu build` has put them behind the program.
[[nodiscard]] std::string lines_of_program();

/// From here on what the program writes to standard output is kept, and passed on by a process of
/// its own. When the program dies, that process calls `left_alone` with what was written, and the
/// signal by which it died: of those that the program does not handle itself, nor anybody else
/// sees.
void keep_output(void (*left_alone)(const std::string& output, int signal));
/// Ends that; gives what was written.
[[nodiscard]] std::string take_output();

} // namespace tilesim::gpu
