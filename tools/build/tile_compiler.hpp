// NVIDIA's compiler: finding one, and what it is given.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/flags.hpp"

#include <string>

namespace tilesim::driver {

struct nvcc {
  std::string path;
  std::string version; ///< "13.4.92"
};

/// $TILESIM_NVCC, what `tilesim toolchain install` brought, $CUDA_HOME's, or that in $PATH. Throws
/// failure (69): there is none, or it is older than tile kernels are (13.1).
[[nodiscard]] nvcc find_tile_compiler();

/// The flags that decide what is well-formed and what it means; nvcc is its own judge of the rest.
[[nodiscard]] command_line nvcc_flags(const build_request& request);

/// A source among its words: what begins with @ would be a file of further ones.
[[nodiscard]] std::string source_word(const std::string& source);

} // namespace tilesim::driver
