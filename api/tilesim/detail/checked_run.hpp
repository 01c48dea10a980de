// How a process that was forked for one run of a check starts and ends it. [tilesim/check.hpp]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

namespace tilesim::detail {

/// The simulator is a new one from now on, with these options (as of TILESIM_OPTIONS); whatever the
/// process had before the fork is forgotten.
TILESIM_EXPORT void begin_checked_run(const char* options);

/// Likewise, in the process itself, under the stepper that has started it: with the options that
/// stand in TILESIM_OPTIONS.
TILESIM_EXPORT void begin_stepped_run();

/// The run has come to its end: writes its report.
TILESIM_EXPORT void end_checked_run();

/// The calling thread is in a library of tilesim's from now on, where hooks judge nothing, or back
/// in code of the program's (sim/process/sections.hpp). Gives what leave() takes.
[[nodiscard]] TILESIM_EXPORT unsigned enter_library() noexcept;
[[nodiscard]] TILESIM_EXPORT unsigned enter_program() noexcept;
TILESIM_EXPORT void leave(unsigned outside) noexcept;

} // namespace tilesim::detail
