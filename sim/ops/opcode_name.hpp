// Names of operations (from the one list), memory orders and scopes.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

#include <cstddef>

namespace tilesim::sim {

inline constexpr const char* opcode_names[] = {
#define TILESIM_OPCODE(name, family) #name,
#include <tilesim/detail/opcodes.def>
};

inline constexpr std::size_t opcode_count = sizeof(opcode_names) / sizeof(opcode_names[0]);

[[nodiscard]] constexpr const char* opcode_name(machine::opcode op) noexcept {
  return opcode_names[static_cast<std::size_t>(op)];
}

/// What C++ calls an atomic read-modify-write.
[[nodiscard]] constexpr const char* call_name(machine::rmw_mode mode) noexcept {
  constexpr const char* names[] = {"atomic_and",
                                   "atomic_or",
                                   "atomic_xor",
                                   "atomic_add",
                                   "atomic_add",
                                   "atomic_max",
                                   "atomic_min",
                                   "atomic_max",
                                   "atomic_min",
                                   "atomic_exchange"};
  return names[static_cast<std::size_t>(mode)];
}

} // namespace tilesim::sim
