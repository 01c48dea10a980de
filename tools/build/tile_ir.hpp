// Tile IR of a program's sources, by NVIDIA's compiler: what `--via tileir` runs.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/flags.hpp"

#include <CLI/CLI.hpp>
#include <string>

namespace tilesim::driver {

/// Declares --via; `via` becomes its value.
void add_via(CLI::App& app, std::string& via);

/// Compiles what has changed, kept in the cache. Paths of the files, one a line: one for each
/// source. Throws failure: a source does not compile, or there is no compiler.
[[nodiscard]] std::string tile_ir_of(const build_request& request, bool verbose);

} // namespace tilesim::driver
