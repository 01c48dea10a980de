// A program reduced to the fewest statements that still differ.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/fuzz/generate.hpp"

#include <string>

namespace tilesim::tools::fuzz {

/// Takes away what can go while `command`, run by the shell with a source's path behind it, ends
/// with 0. An empty command: the program is built by NVIDIA's compiler, run on this machine's GPU
/// and here, and both end with 0 and print something else. Throws failure: the program does not
/// show it from the beginning (1), no compiler or no GPU (69).
[[nodiscard]] program minimise(const program& p, const wishes& w, const std::string& command);

} // namespace tilesim::tools::fuzz
