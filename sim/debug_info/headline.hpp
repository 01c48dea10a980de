// Which line of host code stands for a call of the runtime that helpers and classes make.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/report.hpp>

#include <vector>

namespace tilesim::sim {

/// The frames of an interned chain of calls, from the one that a person looks for outwards:
/// - of an allocation, whose variable it fills: outside of constructors and of functions that
///   return it, but where several allocations would have one line, the outermost
///   that tells them apart;
/// - of other calls, the innermost in no header.
[[nodiscard]] std::vector<source_frame> frames_from_headline(const void* site);

/// The frames further in than that one, innermost first.
[[nodiscard]] std::vector<source_frame> frames_before_headline(const void* site);

} // namespace tilesim::sim
