// Variables of the program that the device does not have.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/process/segments.hpp"

#include <cstdint>
#include <vector>

namespace tilesim::sim {

/// Does a variable of host code lie there, `static int table[64];`, for certain? One of the
/// device's (`__device__`, `__constant__`) is an ordinary variable here, and the specifiers are
/// macros that leave nothing behind: the source still has them. So it is with a static variable of
/// a function, which is the host's if the function is. Where the source cannot be read, or holds
/// words that may be macros, and in lambdas and local classes, the answer is no.
[[nodiscard]] bool is_host_variable(std::uintptr_t address);

/// The program's `__managed__` variables, which leave their alignment behind.
[[nodiscard]] const std::vector<address_range>& managed_variables();

} // namespace tilesim::sim
