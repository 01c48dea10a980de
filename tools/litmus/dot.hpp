// An execution as a graph, in the language of Graphviz.
//
// A column for each thread; a box for each instruction, with a cell for each event; initial writes
// on top.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/litmus/report.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tilesim::tools {

/// Which execution to draw.
enum class show_what : std::uint8_t {
  condition, ///< that answers the condition; else the first candidate that is refused
  race,      ///< that has a race
  hang,      ///< that goes on for ever
};

struct drawing {
  const memmodel::litmus::shown_execution* what = nullptr;
  std::string caption;
  std::vector<memmodel::step> cycle; ///< what makes it refused: drawn in red
};

/// What there is to draw; nothing if no execution is of that kind.
[[nodiscard]] std::optional<drawing>
drawing_of(const litmus_report& r, const model_report& m, show_what show);

[[nodiscard]] std::string to_dot(const litmus_report& r, const drawing& d);

} // namespace tilesim::tools
