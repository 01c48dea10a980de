// Replay strings on the command line: which program they belong to, and refusing those of others.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/schedule_string.hpp"
#include "tools/cli/arguments.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tilesim::tools {

/// What a replay string is tied to: the bytes of the sources, the compiler flags, the program's
/// arguments, and those options of the simulator that change what a program computes. No part of
/// it: paths, headers, the compiler and tilesim itself; the string is good for another machine.
[[nodiscard]] std::string program_hash(const arguments& a, const nlohmann::json& simulator_options);

/// What a replay string, or a file with one in its first line, says. Throws failure (usage) for
/// what is none, and for one of another program than `program`, a hash.
[[nodiscard]] sim::replay read_replay(const std::string& given, const std::string& program);

/// Prepares a program for a replay: with raw accesses seen where points count them, and compiled as
/// `tilesim step` does if that is where they were counted. (How many there are depends on the
/// optimisation.)
void compile_for(const sim::replay& r, build_request& build);

/// Reads it, prepares the program for it, and sets the simulator's options: for commands that run a
/// program once. Throws as read_replay().
void use_replay(const std::string& given, arguments& a, nlohmann::json& simulator_options);

/// Does it count raw accesses?
[[nodiscard]] bool counts_raw_accesses(const sim::schedule& s);

/// Compiles as `tilesim step` does, unless an optimisation is asked for: so that variables can be
/// shown.
void compile_for_stepping(build_request& build);

} // namespace tilesim::tools
