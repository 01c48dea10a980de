// Two recordings of one program: of two GPUs, drivers or compilers.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/diff/report.hpp"

#include <string>

namespace tilesim::tools::diff {

/// Launch by launch; "here" is the first. Of memory that differed before a launch, nothing behind
/// it is blamed on the launch. Throws failure: 64 no such file, 65 it is no recording, 3 no
/// kernel ran on one of the machines since there was no device or driver.
[[nodiscard]] report compare_recordings(const std::string& first, const std::string& second);

} // namespace tilesim::tools::diff
