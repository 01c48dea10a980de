// Variables of the program that the device does not have.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/debug_info/debug_types.hpp"
#include "sim/process/segments.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilesim::sim {

struct launch_state;

/// Does a variable of host code lie there, `static int table[64];`, for certain? One of the
/// device's (`__device__`, `__constant__`) is an ordinary variable here, and the specifiers are
/// macros that leave nothing behind: the source still has them. So it is with a static variable of
/// a function, which is the host's if the function is. Where the source cannot be read, or holds
/// words that may be macros, and in lambdas and local classes, the answer is no.
[[nodiscard]] bool is_host_variable(std::uintptr_t address);

/// Does something lie there that the program has and nobody can write: constants, literals, code?
[[nodiscard]] bool is_constant(std::uintptr_t address);

/// Does a constant of the host's lie there, for certain, that this launch was given a pointer to: a
/// `const` array, or a string literal? Of constants the address alone says little: a kernel's own
/// literals lie beside the host's.
[[nodiscard]] bool is_given_constant(const launch_state& launch, std::uintptr_t address);

/// "counts[3]", "app::state.turn", "counts + 12 bytes" where no type is known: what lies at an
/// address in a variable of the program; empty if there is none.
[[nodiscard]] std::string variable_text(std::uintptr_t address);

/// The type of the elements of the program's variable that begins there: of `float w[4][8]` float;
/// nothing for classes, and where no debug information tells of it.
[[nodiscard]] std::optional<step::value_type> variable_element(std::uintptr_t begin);

/// The program's `__managed__` variables, and its `__constant__` ones that are not `const`: both
/// leave their alignment behind.
[[nodiscard]] const std::vector<address_range>& managed_variables();
[[nodiscard]] const std::vector<address_range>& constant_variables();

} // namespace tilesim::sim
