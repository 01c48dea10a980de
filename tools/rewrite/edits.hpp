// Pieces of the text that others stand in for.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tilesim::tools {

/// A piece of the text, by offsets.
struct span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Where in the source a piece of text stands.
enum class text_place : unsigned char {
  code,
  macro_argument, ///< inside the parentheses of a function-like macro's use
  macro_body,     ///< in a #define, where no newline may be added
};

/// What stands in for a piece of the text: user's words and generated ones.
struct replacement {
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

  std::string text;
  std::size_t shown_at = nowhere; ///< the user's byte that messages about it name
  bool generated = false;         ///< no warning speaks of it
};

struct edit {
  span where;
  std::vector<replacement> by;
  text_place place = text_place::macro_argument;
};

} // namespace tilesim::tools
