// `#pragma push_macro` and `pop_macro` in text whose macros are expanded later.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/macro_pragmas.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace tilesim::driver {

namespace {

/// What stands in the lines of `#define N …`, for each letter; empty: it is no macro.
using letters = std::array<std::string_view, 26>;

bool takes(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) {
    return false;
  }
  text.remove_prefix(word.size());
  return true;
}

/// Of what follows #define and #undef: the place of a name that is one letter, else none of them.
std::size_t letter_of(std::string_view words) {
  const std::size_t begin = words.find_first_not_of(" \t");
  if (begin == std::string_view::npos || words[begin] < 'A' || words[begin] > 'Z') {
    return letters{}.size();
  }
  const bool is_all =
      begin + 1 == words.size() ||
      std::string_view(" \t(/\\\r").find(words[begin + 1]) != std::string_view::npos;
  return is_all ? static_cast<std::size_t>(words[begin] - 'A') : letters{}.size();
}

} // namespace

std::string with_letters_defined(std::string text) {
  std::string made;
  made.reserve(text.size() + text.size() / 64);
  letters now;
  std::vector<letters> before;
  for (std::string_view rest = text; !rest.empty();) {
    std::size_t end = std::min(rest.find('\n'), rest.size());
    while (end > 0 && end < rest.size() && rest[end - 1] == '\\') { // a line goes on
      end = std::min(rest.find('\n', end + 1), rest.size());
    }
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    made.append(line).append("\n");
    std::string_view words = line;
    words.remove_prefix(std::min(words.find_first_not_of(" \t"), words.size()));
    if (!takes(words, "#")) {
      continue;
    }
    words.remove_prefix(std::min(words.find_first_not_of(" \t"), words.size()));
    if (takes(words, "define")) {
      if (const std::size_t n = letter_of(words); n < now.size()) {
        now[n] = line;
      }
    } else if (takes(words, "undef")) {
      if (const std::size_t n = letter_of(words); n < now.size()) {
        now[n] = {};
      }
    } else if (words.ends_with("/tilesim/detail/letters_begin.h\" 1") ||
               words.ends_with("/tilesim/detail/letters_begin.h\" 1 3")) {
      before.push_back(now);
    } else if (!before.empty() && (words.ends_with("/tilesim/detail/letters_end.h\" 1") ||
                                   words.ends_with("/tilesim/detail/letters_end.h\" 1 3"))) {
      now = before.back();
      before.pop_back();
      for (const std::string_view definition : now) {
        if (!definition.empty()) {
          made.append(definition).append("\n");
        }
      }
    }
  }
  return made;
}

bool pushes_macros(std::string_view source) {
  return source.find("push_macro") != std::string_view::npos;
}

} // namespace tilesim::driver
