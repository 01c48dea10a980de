// Places in the source as text.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/frames_text.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace tilesim::sim {

std::string place_text(std::string_view file, unsigned line, unsigned column) {
  return column == 0 ? fmt::format("{}:{}", file, line)
                     : fmt::format("{}:{}:{}", file, line, column);
}

std::string to_string(const source_frame& f) {
  return f.line == 0 ? f.file : place_text(f.file, f.line, f.column);
}

std::string frames_text(const std::vector<source_frame>& frames, const char* first) {
  std::string text;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (i > 0 || !frames[0].function.empty()) {
      text += fmt::format("  {} {} ({})\n",
                          i == 0 ? first : "called from",
                          frames[i].function,
                          to_string(frames[i]));
    }
  }
  return text;
}

} // namespace tilesim::sim
