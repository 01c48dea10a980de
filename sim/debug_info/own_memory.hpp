// Reading this process's memory where it may not be there.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace tilesim::sim::step {

/// A memory_reader of this process: false where reading would crash.
[[nodiscard]] bool read_own_memory(std::uintptr_t address, std::size_t bytes, void* to);

/// Whether all of it lies on the stack of the block that runs, and so may be read. Set by the room
/// that knows stacks; null: nobody does.
extern bool (*is_own_stack)(std::uintptr_t address, std::size_t bytes) noexcept;

} // namespace tilesim::sim::step
