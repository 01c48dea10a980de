// Variables of the program that the device does not have.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tilesim::sim {

/// Does a variable of host code lie there, `static int table[64];`, for certain? One of the
/// device's
/// (`__device__`, `__managed__`, `__constant__`) is an ordinary variable here, and the specifiers
/// are macros that leave nothing behind: the source still has them. Where it cannot be read, or
/// holds words that may be macros, the answer is no.
[[nodiscard]] bool is_host_variable(std::uintptr_t address);

} // namespace tilesim::sim
