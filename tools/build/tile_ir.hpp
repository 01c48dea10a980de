// Tile IR of a program's sources, by NVIDIA's compiler: what `--via tileir` runs.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/cli11_fwd.hpp"
#include "tools/cli/flags.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tilesim::tools {

/// Declares --via; `via` becomes its value.
void add_via(CLI::App& app, std::string& via);

/// With `via` "tileir", compiles what has changed, kept in the cache, and has the simulator run it:
/// a file for each source. Throws failure: a source does not compile, or there is no compiler.
void follow_via(const std::string& via,
                const build_request& request,
                bool verbose,
                nlohmann::json& simulator);

} // namespace tilesim::tools
