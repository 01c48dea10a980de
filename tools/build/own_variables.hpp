// Variables and functions of the device that several sources define, as nvcc lets them: without
// -rdc each source's are its own, and a header that defines one can be included by many.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tilesim::tools {

/// The symbols that a linker finds defined more than once and that are of the device alone, as
/// `inputs`, the program's files, say. Empty if there are others, too. `output` is the linker's,
/// with the names as they are in objects.
[[nodiscard]] std::vector<std::string>
defined_by_several_sources(const std::string& output, const std::vector<std::string>& inputs);

} // namespace tilesim::tools
