// NVIDIA's tile compiler: where it is, and how it gets there.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace tilesim::tools {

/// $TILESIM_NVCC, else the one that `tilesim toolchain install` put into the cache.
[[nodiscard]] std::optional<std::string> find_nvcc();

/// NVIDIA's C++ libraries (CCCL) of a compiler: of $TILESIM_NVCC, of the one that `tilesim
/// toolchain install` put into the cache, of $CUDA_HOME or of the nvcc in $PATH, the first that has
/// them in a folder of their own.
[[nodiscard]] std::optional<std::string> find_libraries();

/// What to say when there is none.
inline constexpr const char* nvcc_missing =
    "NVIDIA's compiler is not installed; run 'tilesim toolchain install', or set TILESIM_NVCC to "
    "an nvcc of CUDA 13.1 or newer";

} // namespace tilesim::tools
