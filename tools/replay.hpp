// Replay strings on the command line: which program they belong to, and refusing those of others.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/schedule_string.hpp"
#include "tools/arguments.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tilesim::driver {

/// What a replay string is tied to: the bytes of the sources, the compiler flags, the program's
/// arguments, and those options of the simulator that change what a program computes. No part of
/// it: paths, headers, the compiler and tilesim itself; the string is good for another machine.
[[nodiscard]] std::string program_hash(const arguments& a, const nlohmann::json& simulator_options);

/// The schedule that a replay string, or a file with one, names. Throws failure (usage) for what is
/// none, and for one of another program than `program`, a hash.
[[nodiscard]] sim::schedule read_replay(const std::string& given, const std::string& program);

} // namespace tilesim::driver
