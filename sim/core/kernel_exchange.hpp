// Kernels that another compiler has compiled: who launches one of the program's launches that one
// in its place.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/launch.hpp>

namespace tilesim::sim {

/// Gives the kernel to launch instead of one whose arguments are bound, which it takes. `site`: the
/// launch's.
using kernel_exchange = detail::bound_kernel (*)(const detail::bound_kernel& kernel,
                                                 const void* site);

/// nullptr: kernels are launched as they are.
[[nodiscard]] kernel_exchange& exchange_of_tile_kernels() noexcept;

} // namespace tilesim::sim
