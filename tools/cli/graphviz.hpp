// Drawings, by Graphviz.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilesim::tools {

/// A graph in Graphviz's language as SVG.
/// @throws failure: there is no Graphviz
[[nodiscard]] std::string svg_of(const std::string& dot);

/// To a file, or, if that is "-", to standard output.
void write_drawing(const std::string& file, const std::string& text);

} // namespace tilesim::tools
