// Shared memory in words: which variable of which block lies at an address.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/findings/findings.hpp"
#include "sim/memory/access_kind.hpp"
#include "sim/memory/block_memory.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tilesim::sim {

class context;
struct sim_thread;

/// True if a thread may access these bytes, which lie in shared memory: one variable's, of its own
/// block. No thread: of any block that is alive.
[[nodiscard]] bool shared_accessible(const block_memories& m,
                                     const sim_thread* thread,
                                     std::uintptr_t address,
                                     std::size_t bytes);

/// "s[3]", "s[3][4], byte 2 of it": what lies at an address of a variable, or beside it.
[[nodiscard]] std::string shared_element(const shared_object& o, std::uintptr_t address);
/// "float[256]".
[[nodiscard]] std::string shared_type(const shared_object& o);
/// "float": of its elements.
[[nodiscard]] std::string shared_element_type(const shared_object& o);

/// "s[3] of float[256], byte 12 of shared memory of block (1,0,0) of sum, declared at sum.cu:7".
[[nodiscard]] std::string describe_shared_address(const block_memories& m, std::uintptr_t address);
/// "s[3]"; "shared memory" if no variable is there.
[[nodiscard]] std::string describe_shared_element(const block_memories& m, std::uintptr_t address);

/// The finding for an access of shared memory that the thread may not make. `who` is told first.
[[nodiscard]] finding_text explain_shared(const block_memories& m,
                                          const sim_thread* thread,
                                          const bad_access& access,
                                          std::vector<std::string> who);

} // namespace tilesim::sim
