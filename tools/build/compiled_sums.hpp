// Which sums NVIDIA's compiler fuses with a product, as the Tile IR says that it makes of a source.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/sum_table.hpp"

#include <string>
#include <vector>

namespace tilesim::tools {

/// Where NVIDIA's own headers lie, with a slash behind.
[[nodiscard]] std::string toolkit_folder(const std::string& nvcc);

/// True if these flags of nvcc's let it fuse: -fmad=false is not the last word.
[[nodiscard]] bool contracts(const std::vector<std::string>& flags);

struct sums_of_sources {
  sim::sum_table sums;
  std::vector<std::string> inputs; ///< files that were read, but for the system's and NVIDIA's
};

/// Compiles the sources to Tile IR. `flags`: nvcc's, with the standard and the architecture. Throws
/// printed_failure: 65, a source does not compile, or its Tile IR is none that can be read.
[[nodiscard]] sums_of_sources compiled_sums(const std::string& nvcc,
                                            const std::vector<std::string>& sources,
                                            const std::vector<std::string>& flags);

} // namespace tilesim::tools
