// The bytecode that NVIDIA's compiler makes of a program's tile kernels, for tilesim run --via
// tileir.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/build/compile.hpp"

namespace tilesim::driver {

/// Compiles each source and has the simulator launch their tile kernels by what comes of it:
/// $TILESIM_TILE_IR. Throws failure: the compiler is missing, or refuses.
void launch_by_tile_ir(const build_request& request, bool verbose);

} // namespace tilesim::driver
