// The main program of many random programs in one, for a GPU.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/fuzz/program.hpp"

#include <string>
#include <vector>

namespace tilesim::tools::fuzz {

/// A source whose main() calls `run` of each, which stand in other translation units, and prints
/// a log (log.hpp) that begins with `header`. What ends one of them, such as a CUDA error, ends no
/// other.
[[nodiscard]] std::string to_gpu_main(const std::vector<program>& programs,
                                      const std::string& header);

} // namespace tilesim::tools::fuzz
