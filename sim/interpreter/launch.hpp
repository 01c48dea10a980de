// Launches of entries: what a driver of the device does with a loaded module.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/interpreter/program.hpp"
#include "sim/interpreter/refused.hpp"

#include <tilesim/launch.hpp>

#include <cstddef>
#include <vector>

namespace tilesim::sim {
class context;
} // namespace tilesim::sim

namespace tilesim::interpreter {

/// An entry with its parameters' values. `parameters`: a pointer to the value of each. Throws
/// refused.
[[nodiscard]] detail::bound_kernel
bind(program& p, const tileir::entry& e, const void* const* parameters);

/// How many bytes the value of each of its parameters has. Throws refused.
[[nodiscard]] std::vector<std::size_t> parameter_sizes(program& p, const tileir::entry& e);

/// Memory of the program's globals can be used by the run's kernels from now on.
void show_globals(const program& p, sim::context& c);

/// Enqueues an entry, as cuLaunchKernel does. `site`: where the program launches it. Gives a
/// cudaError_t. Throws refused.
[[nodiscard]] int launch(program& p,
                         const tileir::entry& e,
                         dim3 grid,
                         CUstream_st* stream,
                         const void* const* parameters,
                         const void* site);

} // namespace tilesim::interpreter
