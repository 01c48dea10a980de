// tilesim litmus --gpu-build: litmus tests as one program for a GPU.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tilesim::tools {

/// The command with its words. Returns the exit code.
[[nodiscard]] int litmus_gpu_build(const std::vector<std::string>& words);

} // namespace tilesim::tools
