// Which line of host code stands for a call of the runtime that helpers and classes make.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/report.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tilesim::sim {

/// The frames of an interned chain of calls, from the one that a person looks for outwards:
/// - of an allocation, whose variable it fills: outside of constructors and of functions that
///   return it, but where several allocations would have one line, the outermost
///   that tells them apart;
/// - of other calls, the innermost in no header.
[[nodiscard]] std::vector<source_frame> frames_from_headline(const void* site);

/// The frames of a return address, innermost first. Those of a chain: sim/source_site.
[[nodiscard]] const std::vector<source_frame>& resolve_code(const void* address);

/// The frames further in than that one, innermost first.
[[nodiscard]] std::vector<source_frame> frames_before_headline(const void* site);
/// The same of any place; none of a return address.
[[nodiscard]] std::vector<source_frame> frames_of_helpers(const void* site);

/// Is that a constructor's name as frames have it: "dbuf<float>::dbuf"?
[[nodiscard]] bool is_constructor(std::string_view function);

/// The innermost frame, if that is not the line that stands for the call:
/// "dbuf<float>::dbuf (util.h:21)". Else empty.
[[nodiscard]] std::string helper_of(const void* site);

/// "main.cu:41", or "main.cu:41, through dbuf<float>::dbuf (util.h:21)".
[[nodiscard]] std::string place_and_helper(const void* site);

} // namespace tilesim::sim
