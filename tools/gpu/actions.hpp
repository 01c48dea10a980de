// What `tilesim gpu` can do.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tilesim::driver::gpu_tool {

/// Each takes the words behind its name and gives the exit status.
int build(const std::vector<std::string>& words);
int show(const std::vector<std::string>& words);
int compact(const std::vector<std::string>& words);
int sums(const std::vector<std::string>& words);

} // namespace tilesim::driver::gpu_tool
