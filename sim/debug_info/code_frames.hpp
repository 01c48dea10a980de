// From a return address to the user's source, by the debug information (libdw).
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/report.hpp>

#include <string>
#include <vector>

namespace tilesim::sim {

/// The frames of a return address, innermost first. Those of a chain: headline.hpp.
[[nodiscard]] const std::vector<source_frame>& resolve_code(const void* address);

/// The function of the standard library that the program's code calls at a return address or a
/// chain of them, as "std::thread::thread". Else empty.
[[nodiscard]] std::string library_call_in_code(const void* site);

} // namespace tilesim::sim
