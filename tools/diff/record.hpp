// Recording a program on this machine's device.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/arguments.hpp"

#include <string>

namespace tilesim::tools::diff {

/// Builds the program for a GPU, runs it, and leaves its recording at `path`. It gets `seconds` at
/// most. Throws failure: 65 it does not compile, 69 there is no compiler, no device, or it does not
/// end.
void record_here(const arguments& given, const std::string& path, double seconds, bool verbose);

} // namespace tilesim::tools::diff
