// From a place to the user's source: what its resolver says (places.hpp), of a return address the
// debug information (code_frames.hpp), of a chain of them from the line that stands for the call
// (headline.hpp).
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

/// The frames further in than those, innermost first, that only serve that line; none of a return
/// address.
[[nodiscard]] std::vector<source_frame> frames_of_helpers(const void* site);

/// The function of the standard library that the program's code calls there, as
/// "std::thread::thread", if the place is in one or in what it calls. Else empty.
[[nodiscard]] std::string library_call_at(const void* site);

/// "saxpy.cu:12" of the innermost user frame, or "an unknown place".
[[nodiscard]] std::string place(const void* site);

/// The innermost frame, if that is not the line that stands for the call:
/// "dbuf<float>::dbuf (util.h:21)". Else empty.
[[nodiscard]] std::string helper_of(const void* site);

/// "main.cu:41", or "main.cu:41, through dbuf<float>::dbuf (util.h:21)".
[[nodiscard]] std::string place_and_helper(const void* site);

} // namespace tilesim::sim
