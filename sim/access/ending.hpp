// Calls that a kernel must not make: they would end, copy or extend the program (ending.cpp).
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilesim::sim {

/// Stops the run if it is a kernel that has called this; tilesim's own calls are none of a
/// kernel's.
void refuse_in_kernel(const void* return_address, const std::string& call, const char* what);

/// Stops the run at a trap of device code; `how` is what the kernel has done: "calls __trap".
[[noreturn]] void stop_at_trap(const void* site, const char* how);

} // namespace tilesim::sim
