// NVIDIA's compiler, as `tilesim gpu` runs it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilesim::driver::gpu_tool {

struct nvcc {
  std::string path;
  std::string version; ///< "13.4.92"
};

/// $TILESIM_NVCC, what `tilesim toolchain install` brought, $CUDA_HOME's, or that in $PATH. Throws
/// failure (69): there is none, or it is older than tile kernels are (13.1).
[[nodiscard]] nvcc find_tile_compiler();

} // namespace tilesim::driver::gpu_tool
