// The command line of NVIDIA's compiler for a source of a request.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/build/compile.hpp"
#include "tools/cli/process.hpp"

#include <string>

namespace tilesim::driver {

/// With the flags that decide what is well-formed, and these.
[[nodiscard]] command_line nvcc_command(const std::string& nvcc,
                                        const build_request& request,
                                        const std::string& source,
                                        const command_line& more);

} // namespace tilesim::driver
