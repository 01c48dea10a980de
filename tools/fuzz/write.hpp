// A random program as CUDA that a person can read and send.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/fuzz/program.hpp"

#include <string>
#include <vector>

namespace tilesim::tools::fuzz {

/// One source with a main() that runs the programs in turn and prints, for each buffer that they
/// write, a line: "SEED BUFFER HASH first values".
[[nodiscard]] std::string to_source(const std::vector<program>& programs,
                                    const std::string& command);

/// The same without main(): one translation unit of several that are linked together.
[[nodiscard]] std::string to_unit(const std::vector<program>& programs, const std::string& command);

/// Where a program stands: its function is `run` there.
[[nodiscard]] std::string name_space(const program& p);

} // namespace tilesim::tools::fuzz
