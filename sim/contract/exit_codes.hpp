// The exit codes of all commands, and of the programs that they run: one table, also in
// tools/README.md.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/assertion.hpp"

namespace tilesim {

// Of commands. A program that cannot be started as asked ends with these, too.
inline constexpr int exit_clean = 0;
inline constexpr int exit_findings = 1;   ///< or: what was asked for does not exist
inline constexpr int exit_incomplete = 3; ///< a limit was reached, or nothing could be checked
inline constexpr int exit_usage = 64;     ///< the command line, or options, cannot be understood
inline constexpr int exit_input = 65;     ///< a source file does not compile, parse or link
inline constexpr int exit_program = 66;   ///< under `check`: the program itself failed
inline constexpr int exit_unavailable =
    69; ///< a program, library or file that is needed is missing
inline constexpr int exit_internal = assertions::exit_code; ///< a bug of tilesim's

// Of programs that ran.
inline constexpr int exit_stopped = 101;       ///< tilesim stopped the program
inline constexpr int exit_with_findings = 102; ///< the program ended with 0, but there are findings
inline constexpr int exit_interrupted = 130;   ///< Ctrl-C

} // namespace tilesim
