// Places in the source as text.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/report.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tilesim::sim {

/// "a.cu:12:7", or "a.cu:12" where no column is known.
[[nodiscard]] std::string place_text(std::string_view file, unsigned line, unsigned column);

/// The same, or "a.cu" where no line is known.
[[nodiscard]] std::string to_string(const source_frame& f);

/// Innermost first, a line each: "  in saxpy (a.cu:12:7)", "  called from main (a.cu:40)"; `first`
/// stands for "in". Nothing of a first one whose function is not known.
[[nodiscard]] std::string frames_text(const std::vector<source_frame>& frames, const char* first);

} // namespace tilesim::sim
