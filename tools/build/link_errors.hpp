// What a linker misses, in a user's words.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tilesim::tools {

/// One line with the remedy where main or tilesim's library for tests is missing; else what the
/// linker says.
[[nodiscard]] std::string with_missing_explained(const std::string& output,
                                                 const std::vector<std::string>& sources);

/// What a linker says of symbols of the device that two sources define which share them, in a line
/// each: [nvlink] "Multiple definition". Anything else stays as it is.
[[nodiscard]] std::string with_sharing_explained(const std::string& output,
                                                 const std::vector<std::string>& symbols);

} // namespace tilesim::tools
