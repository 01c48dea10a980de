// Finding PTX among asm statements.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/rewrite/inline_ptx.hpp"

#include "tools/rewrite/brackets.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>

namespace tilesim::tools {

namespace {

/// One instruction whose name is PTX's alone, or no statement of a program that runs on a GPU.
bool is_plain_ptx(std::string_view text) {
  std::string only;
  std::ranges::copy_if(text, std::back_inserter(only), [](char c) {
    return std::isspace(static_cast<unsigned char>(c)) == 0 && c != '"';
  });
  for (const std::string_view name : {"exit", "trap", "brkpt", "ret", "pmevent"}) {
    if (only.starts_with(name) && only.ends_with(';') &&
        std::ranges::all_of(only.substr(name.size(), only.size() - name.size() - 1),
                            [](char c) { return c >= '0' && c <= '9'; })) {
      return true;
    }
  }
  return false;
}

/// An instruction with a dot inside its name, and a semicolon behind the last: the host's have one
/// or the other. A piece that a macro's argument makes may stand behind the dot.
bool is_ptx(std::string_view text) {
  if (is_plain_ptx(text)) {
    return true;
  }
  const auto letter = [&](std::size_t i) {
    return i < text.size() && std::isalpha(static_cast<unsigned char>(text[i])) != 0;
  };
  const auto alnum = [&](std::size_t i) {
    return std::isalnum(static_cast<unsigned char>(text[i])) != 0;
  };
  bool dotted = false;
  for (std::size_t i = 1; i < text.size(); ++i) {
    dotted = dotted ||
             (text[i] == '.' && alnum(i - 1) && (letter(i + 1) || text.substr(i + 1, 2) == "\"#"));
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

/// The operands of a section between colons, as arguments of the call.  [PTX: inline assembly]
std::string operands_of(const token_view& tokens, std::size_t& i, std::size_t end, bool outputs) {
  std::string text;
  while (i < end && !tokens.is_punct(i, ":") && !tokens.is_punct(i, "::")) {
    if (tokens.is(i, token_kind::string) && tokens.is_punct(i + 1, "(")) {
      const std::size_t close = tokens.matching_close(i + 1);
      const bool both = outputs && tokens.spelling(i).find('+') != std::string_view::npos;
      text += std::string(", ::tilesim::detail::ptx_") +
              (!outputs ? "in"
               : both   ? "both"
                        : "out") +
              std::string(tokens.between(i + 1, close));
      i = std::min(close, end);
    }
    ++i; // a comma, or a name in brackets
  }
  return text;
}

/// What stands in for the statement whose parentheses are at `open` and `close`.
std::string call_of(const token_view& tokens, std::size_t open, std::size_t close) {
  std::size_t i = open + 1;
  while (i < close && !tokens.is_punct(i, ":") && !tokens.is_punct(i, "::")) {
    ++i;
  }
  std::string call = "::tilesim::detail::run_ptx(" + std::string(tokens.between(open + 1, i - 1));
  for (unsigned section = 0; i < close && section < 2; ++section) {
    const bool two = tokens.is_punct(i, "::");
    if (two && section == 0) {
      ++section; // no outputs
    } else if (two) {
      break; // no inputs
    }
    ++i;
    call += operands_of(tokens, i, close, section == 0);
  }
  return call + ")";
}

/// The statements among some tokens: the text, or a macro's body.
void add_edits(const token_view& tokens, text_place place, std::vector<edit>& edits) {
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
    const std::size_t close = tokens.matching_close(open);
    std::string text;
    for (std::size_t s = open + 1;
         s < close && !tokens.is_punct(s, ":") && !tokens.is_punct(s, "::");
         ++s) {
      text += tokens.spelling(s);
    }
    if (close < tokens.size() && is_ptx(text)) {
      edits.push_back({{tokens[i].begin, tokens[close].end},
                       {{is_hint(text) ? "static_cast<void>(0)" : call_of(tokens, open, close)}},
                       place});
      i = close;
    }
  }
}

} // namespace

std::vector<edit> inline_ptx(const lexed& source) {
  std::vector<edit> edits;
  add_edits(token_view(source, source.tokens), text_place::macro_argument, edits);
  for (const macro_definition& m : source.macros) {
    add_edits(token_view(source, m.body), text_place::macro_body, edits);
  }
  for (const plain_macro& plain : source.plain_macros) {
    if (source.text.substr(plain.begin, plain.end - plain.begin).find("asm") !=
        std::string_view::npos) {
      const macro_definition m = lex_macro(source, plain);
      add_edits(token_view(source, m.body), text_place::macro_body, edits);
    }
  }
  return edits;
}

} // namespace tilesim::tools
