// `#pragma push_macro` and `pop_macro` in text whose macros are expanded later.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/macro_pragmas.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace tilesim::tools {

namespace {

/// What stands in the lines of `#define N …`, for each letter; empty: it is no macro.
using letters = std::array<std::string_view, 26>;

void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
}

/// If it begins with the word: takes it, and the blanks behind it.
bool takes(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) {
    return false;
  }
  text.remove_prefix(word.size());
  skip_blanks(text);
  return true;
}

/// A line, with those that it goes on in.
std::string_view take_line(std::string_view& text) {
  std::size_t end = std::min(text.find('\n'), text.size());
  while (end > 0 && end < text.size() && text[end - 1] == '\\') {
    end = std::min(text.find('\n', end + 1), text.size());
  }
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

/// Of what follows #define and #undef: what is known of that name; nullptr: it is no single letter.
std::string_view* letter_in(std::string_view words, letters& all) {
  if (words.empty() || words[0] < 'A' || words[0] > 'Z') {
    return nullptr;
  }
  const bool is_all =
      words.size() == 1 || std::string_view(" \t(/\\\r").find(words[1]) != std::string_view::npos;
  return is_all ? &all[static_cast<std::size_t>(words[0] - 'A')] : nullptr;
}

/// Of a line that marks where text comes from: whether a header of tilesim's begins there.
bool begins(std::string_view marker, std::string_view header) {
  const auto at = marker.find(header);
  const auto behind = at == std::string_view::npos ? "" : marker.substr(at + header.size());
  return behind == " 1" || behind == " 1 3"; // its flags
}

} // namespace

std::string with_letters_defined(std::string_view text) {
  std::string made;
  made.reserve(text.size() + text.size() / 64);
  letters now;
  std::vector<letters> before;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = take_line(rest);
    made.append(line).append("\n");
    std::string_view words = line;
    skip_blanks(words);
    if (!takes(words, "#")) {
      continue;
    }
    if (takes(words, "define")) {
      if (std::string_view* const letter = letter_in(words, now); letter != nullptr) {
        *letter = line;
      }
    } else if (takes(words, "undef")) {
      if (std::string_view* const letter = letter_in(words, now); letter != nullptr) {
        *letter = {};
      }
    } else if (begins(words, "/tilesim/detail/letters_begin.h\"")) {
      before.push_back(now);
    } else if (begins(words, "/tilesim/detail/letters_end.h\"") && !before.empty()) {
      now = before.back();
      before.pop_back();
      for (const std::string_view definition : now) {
        made.append(definition).append(definition.empty() ? "" : "\n");
      }
    }
  }
  return made;
}

bool pushes_macros(std::string_view source) {
  return source.find("push_macro") != std::string_view::npos;
}

} // namespace tilesim::tools
