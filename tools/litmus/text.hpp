// Reports of litmus tests as text: in herd's manner, and what herd does not say below.
//
// Coloured: for_terminal() (terminal.hpp) takes the colours out again.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/litmus/report.hpp"

#include <string>

namespace tilesim::tools {

struct text_options {
  bool explain = false;  ///< show an execution, or what each refused candidate breaks
  bool outcomes = false; ///< states of all variables, not only those that the condition names
};

/// The whole report of one file.
[[nodiscard]] std::string to_text(const litmus_report& r, const text_options& options);

/// One line, for the list of a folder's tests. `width`: the longest file name's.
[[nodiscard]] std::string to_line(const litmus_report& r, std::size_t width);

/// What went wrong: `file:line:column: error: …`, with the line itself; claims that are not met;
/// limits.
[[nodiscard]] std::string errors_text(const litmus_report& r);

} // namespace tilesim::tools
