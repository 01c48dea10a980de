// What calls preserve.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace tilesim::sim {

/// By DWARF's numbers: variables of callers may lie there. Others cannot be asked for: the unwinder
/// has not saved them.
#if defined(__aarch64__)
inline constexpr std::array preserved_registers = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29};
inline constexpr int stack_pointer_register = 31;
#else
inline constexpr std::array preserved_registers = {3, 6, 12, 13, 14, 15}; // rbx, rbp, r12 to r15
inline constexpr int stack_pointer_register = 7;
#endif

} // namespace tilesim::sim
