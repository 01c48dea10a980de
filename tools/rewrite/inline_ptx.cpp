// Finding PTX among asm statements.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/rewrite/inline_ptx.hpp"

#include "tools/rewrite/brackets.hpp"

#include <algorithm>
#include <cctype>
#include <string>

namespace tilesim::driver {

namespace {

/// An instruction with a dot inside its name, and a semicolon behind the last: the host's have one
/// or the other.
bool is_ptx(std::string_view text) {
  const auto letter = [&](std::size_t i) {
    return i < text.size() && std::isalpha(static_cast<unsigned char>(text[i])) != 0;
  };
  bool dotted = false;
  for (std::size_t i = 1; i < text.size(); ++i) {
    dotted = dotted || (text[i] == '.' && letter(i - 1) && letter(i + 1));
  }
  return dotted && text.find(';') != std::string_view::npos;
}

/// Of what is nothing but a hint to caches: whether it is there cannot be told.  [PTX: prefetch,
/// prefetchu]
bool is_hint(std::string_view text) {
  const auto begin = text.find_first_not_of("\" \t");
  return begin != std::string_view::npos && text.substr(begin).starts_with("prefetch") &&
         text.find(';') == text.rfind(';');
}

} // namespace

std::vector<edit> inline_ptx(const lexed& source) {
  const token_view tokens(source, source.tokens);
  std::vector<edit> edits;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view word = tokens.spelling(i);
    if (!tokens.is(i, token_kind::identifier) ||
        (word != "asm" && word != "__asm__" && word != "__asm")) {
      continue;
    }
    std::size_t open = i + 1;
    while (tokens.is(open, token_kind::identifier)) { // volatile, goto, inline
      ++open;
    }
    if (!tokens.is_punct(open, "(") || !tokens.is(open + 1, token_kind::string)) {
      continue;
    }
    std::string text;
    for (std::size_t s = open + 1; tokens.is(s, token_kind::string); ++s) {
      text += tokens.spelling(s);
    }
    const std::size_t close = tokens.matching_close(open);
    if (close < tokens.size() && is_ptx(text)) {
      edits.push_back({{tokens[i].begin, tokens[close].end},
                       {{is_hint(text) ? "static_cast<void>(0)"
                                       : "::tilesim::detail::inline_ptx(" +
                                             std::string(tokens.spelling(open + 1)) + ")"}}});
      i = close;
    }
  }
  return edits;
}

} // namespace tilesim::driver
