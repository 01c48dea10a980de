// `--contract`: which products and sums the simulator is to fuse.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/cli11_fwd.hpp"
#include "tools/cli/flags.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tilesim::tools {

/// Declares --contract; `contract` becomes its value.
void add_contract(CLI::App& app, std::string& contract);

/// Has the simulator fuse, where `contract` was given: "compiler" asks NVIDIA's, and keeps the
/// answer; "rule" is the simulator's own; anything else is a file with a table. Throws failure: 64
/// no such file, or no table, 65 NVIDIA's compiler refuses a source, 69 there is no such compiler.
void follow_contract(const std::string& contract,
                     const build_request& request,
                     nlohmann::json& simulator);

} // namespace tilesim::tools
