// From a return address to the user's source, through debug information (libdw).
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/report.hpp>

#include <string>
#include <vector>

namespace tilesim::sim {

/// The frames that lead to the call returning to `address`: inlined frames of tilesim's own headers
/// left out, the innermost user frame first. Empty when there is no debug information.
[[nodiscard]] std::vector<source_frame> resolve(const void* address);

/// The function of the standard library that the program's code calls there, as
/// "std::thread::thread", if the place is in one or in what it calls. Else empty.
[[nodiscard]] std::string library_call_at(const void* address);

/// "saxpy.cu:12" of the innermost user frame, or "an unknown place".
[[nodiscard]] std::string place(const void* address);

} // namespace tilesim::sim
