// Runs a block of an entry that has been prepared.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/interpreter/code.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tilesim::sim {
struct sim_thread;
} // namespace tilesim::sim

namespace tilesim::interpreter {

class frame;

/// Performs the block that `thread` is. `parameters`: their cells, one after the other, as many
/// bytes each as its type has.
void run_block(const code& c, const std::byte* parameters, sim::sim_thread& thread);

/// A hash of all that a block of the running thread's holds; nothing: it runs none.
[[nodiscard]] std::optional<std::uint64_t> state_of(const sim::sim_thread* thread);

/// The memory of the block that the thread performs; nullptr: it performs none.
[[nodiscard]] const frame* frame_of(const sim::sim_thread* thread);

/// The bytes of all parameters.
[[nodiscard]] std::size_t parameter_bytes(const code& c);

} // namespace tilesim::interpreter
