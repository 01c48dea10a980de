// `--contract`: which products and sums the simulator is to fuse.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/flags.hpp"

#include <string>

namespace tilesim::driver {

/// The simulator's option of these words: "compiler" asks NVIDIA's, which is kept; "rule" is
/// itself; anything else is a file with a table. Throws failure: 64 no such file, or no table, 65
/// NVIDIA's compiler refuses a source, 69 there is no such compiler.
[[nodiscard]] std::string contraction_of(const std::string& word, const build_request& request);

} // namespace tilesim::driver
