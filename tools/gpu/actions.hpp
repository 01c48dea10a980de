// What `tilesim gpu` can do.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilesim::tools::gpu_tool {

/// Each takes the words behind its name and gives the exit status.
int build(const std::vector<std::string>& words);
int show(const std::vector<std::string>& words);
int compact(const std::vector<std::string>& words);
int sums(const std::vector<std::string>& words);

/// What is left of the words of an action that takes one recording. Throws failure (64): it is none
/// or several.
[[nodiscard]] std::string one_recording(const std::vector<std::string>& files,
                                        std::string_view action);

} // namespace tilesim::tools::gpu_tool
