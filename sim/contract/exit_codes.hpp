// Exit codes of programs under `tilesim run`: one table, also in the README.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilesim::sim {

inline constexpr int exit_usage = 64;          ///< options that cannot be read
inline constexpr int exit_unavailable = 69;    ///< a file cannot be written
inline constexpr int exit_internal = 70;       ///< a bug of tilesim's
inline constexpr int exit_stopped = 101;       ///< tilesim stopped the program
inline constexpr int exit_with_findings = 102; ///< the program ended with 0, but there are findings
inline constexpr int exit_interrupted = 130;   ///< Ctrl-C

} // namespace tilesim::sim
