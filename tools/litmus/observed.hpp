// tilesim litmus --observed: what a GPU showed of litmus tests, judged by the model.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tilesim::tools {

/// The command with its words. Returns the exit code.
[[nodiscard]] int litmus_observed(const std::vector<std::string>& words);

} // namespace tilesim::tools
