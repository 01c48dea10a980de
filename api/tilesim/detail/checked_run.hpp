// How a process that was forked for one run of a check starts and ends it. [tilesim/check.hpp]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

namespace tilesim::detail {

/// The simulator is a new one from now on, with these options (as of TILESIM_OPTIONS); whatever the
/// process had before the fork is forgotten.
TILESIM_EXPORT void begin_checked_run(const char* options);

/// How a run in this process has ended.
struct run_here_end {
  int status;       ///< as of a process that was made for it
  int signal;       ///< SIGABRT: abort() was called; 0: none
  bool interrupted; ///< by Ctrl-C
};

/// Calls body(argument), which gives an exit status, as a program of its own in this process, with
/// these options: a finding that stops, a limit, exit() and abort() come back here.
[[nodiscard]] TILESIM_EXPORT run_here_end run_checked_here(const char* options,
                                                           int (*body)(void*),
                                                           void* argument);

/// Likewise, in the process itself, under the stepper that has started it: with the options that
/// stand in TILESIM_OPTIONS.
TILESIM_EXPORT void begin_stepped_run();

/// The run has come to its end: writes its report.
TILESIM_EXPORT void end_checked_run();

/// Of an exploration: what the callable has returned behind its launches. [tilesim/explore.hpp]
TILESIM_EXPORT void tell_returned(const char* bytes, unsigned long count);

/// The calling thread is in a library of tilesim's from now on, where hooks judge nothing, or back
/// in code of the program's (sim/process/sections.hpp). Gives what leave() takes.
[[nodiscard]] TILESIM_EXPORT unsigned enter_library() noexcept;
[[nodiscard]] TILESIM_EXPORT unsigned enter_program() noexcept;
TILESIM_EXPORT void leave(unsigned outside) noexcept;

} // namespace tilesim::detail
