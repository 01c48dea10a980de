// A tile litmus test as a tile kernel, with the operations of cuda::tiles.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/litmus/gpu_code.hpp"

#include <cstddef>
#include <string>

namespace tilesim::tools {

/// Why the blocks of a tile test cannot run as blocks of one launch; empty: they can.
[[nodiscard]] std::string why_no_tile_kernel(const memmodel::litmus::test& t);

[[nodiscard]] std::string tile_kernel_text(const gpu_test& g, std::size_t number);

} // namespace tilesim::tools
