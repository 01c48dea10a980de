// The exit codes of all commands: one table, also in tools/README.md.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilesim::driver {

inline constexpr int exit_clean = 0;
inline constexpr int exit_findings = 1;     ///< or: what was asked for does not exist
inline constexpr int exit_incomplete = 3;   ///< a limit was reached, or nothing could be checked
inline constexpr int exit_usage = 64;       ///< the command line cannot be understood
inline constexpr int exit_input = 65;       ///< a source file does not compile, parse or link
inline constexpr int exit_program = 66;     ///< under `check`: the program itself failed
inline constexpr int exit_unavailable = 69; ///< a program or a library that is needed is missing
inline constexpr int exit_internal = 70;    ///< a bug of tilesim's

} // namespace tilesim::driver
