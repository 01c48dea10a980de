// From a place to the user's source: what its resolver says (places.hpp), of a return address the
// debug information (libdw).
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/report.hpp>

#include <string>
#include <vector>

namespace tilesim::sim {

/// The frames that lead to a place, the innermost user frame first: of a return address those that
/// lead to the call, inlined frames of tilesim's own headers left out. Empty when nobody knows.
[[nodiscard]] std::vector<source_frame> resolve(const void* site);

/// The function of the standard library that the program's code calls there, as
/// "std::thread::thread", if the place is in one or in what it calls. Else empty.
[[nodiscard]] std::string library_call_at(const void* site);
/// The same, of a return address or a chain of them.
[[nodiscard]] std::string library_call_in_code(const void* site);

/// What the linker calls the function that begins at an address; empty: nobody knows.
[[nodiscard]] std::string linkage_name(const void* function);

/// "saxpy.cu:12" of the innermost user frame, or "an unknown place".
[[nodiscard]] std::string place(const void* site);

} // namespace tilesim::sim
