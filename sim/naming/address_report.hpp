// Addresses in words: what lies at one, and what is wrong with a bad one.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/findings/findings.hpp"
#include "sim/memory/access_kind.hpp"

#include <cstdint>
#include <string>

namespace tilesim::sim {

class context;
struct sim_thread;

/// True if a kernel thread may access these bytes: live simulated memory, its own stack, or a
/// variable of the program.
[[nodiscard]] bool
accessible(context& c, const sim_thread* thread, std::uintptr_t address, unsigned bytes);

/// The finding for an access that is not: which kind, which allocation, by how much.
[[nodiscard]] finding_text explain(context& c, const sim_thread* thread, const bad_access& access);

/// The same of one whose address is no multiple of its bytes.
[[nodiscard]] finding_text
misaligned_text(context& c, const sim_thread& thread, const bad_access& access);

/// The finding for host code that touches live device memory.
[[nodiscard]] finding_text
explain_host_access(context& c, std::uintptr_t address, access_kind kind);

/// "byte 12 of allocation #2 (4096 bytes of device memory, allocated at saxpy.cu:12)", "the end of
/// …", "4 bytes past the end of …"; a bare address when nothing is known.
[[nodiscard]] std::string describe_address(context& c, std::uintptr_t address);

/// The same in few words: "counts[15]", or where it lies if no variable is known to hold it.
[[nodiscard]] std::string describe_element(context& c, std::uintptr_t address);

/// What a thread of a launch waits for that has read `value` there: "flag[0] to become other than
/// 0", "2 more arrivals at bar". `name` is the place in words.
[[nodiscard]] std::string awaited_text(const context& c,
                                       std::uint64_t launch,
                                       std::uintptr_t address,
                                       std::uint64_t value,
                                       const std::string& name);

/// "memory allocated at saxpy.cu:12", or what else there lies.
[[nodiscard]] std::string describe_memory(context& c, std::uintptr_t address);

} // namespace tilesim::sim
