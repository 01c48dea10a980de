// A call is a statement if it ends with a semicolon and begins where a statement does.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/watch/dropped_results.hpp"

#include "sim/debug_info/source_site.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace tilesim::sim {

namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Moves backward through a text: `at` is behind what is looked at.
class reader {
public:
  reader(std::string_view text, std::size_t behind)
      : text_(text)
      , at_(behind) {}

  [[nodiscard]] char last() {
    while (at_ != 0 && std::isspace(static_cast<unsigned char>(text_[at_ - 1])) != 0) {
      --at_;
    }
    return at_ == 0 ? '\0' : text_[at_ - 1];
  }
  bool skip(std::string_view what) {
    static_cast<void>(last());
    const bool there = text_.substr(0, at_).ends_with(what);
    at_ -= there ? what.size() : 0;
    return there;
  }
  std::string_view word() {
    static_cast<void>(last());
    const std::size_t end = at_;
    while (at_ != 0 && is_word(text_[at_ - 1])) {
      --at_;
    }
    return text_.substr(at_, end - at_);
  }
  /// Brackets and what is in them; nothing where none close here.
  std::string_view brackets(char open, char close) {
    if (last() != close) {
      return {};
    }
    const std::size_t end = at_;
    for (std::size_t depth = 0; at_ != 0;) {
      --at_;
      depth += text_[at_] == close ? 1U : 0U;
      depth -= text_[at_] == open ? 1U : 0U;
      if (depth == 0) {
        return text_.substr(at_, end - at_);
      }
    }
    return {};
  }
  /// The object of a member, or the scope of a name.
  void operand() {
    while (!brackets('(', ')').empty() || !brackets('[', ']').empty() ||
           !brackets('<', '>').empty()) {
    }
    word();
  }
  [[nodiscard]] std::string_view before() const { return text_.substr(0, at_); }

private:
  std::string_view text_;
  std::size_t at_;
};

bool is_one(calls which, std::string_view name) {
  using namespace std::string_view_literals;
  constexpr std::array exchanges{"atomicExch"sv, "exchange"sv, "atomic_xchg"sv};
  constexpr std::array updates{"atomicAdd"sv,
                               "atomicSub"sv,
                               "atomicMin"sv,
                               "atomicMax"sv,
                               "atomicAnd"sv,
                               "atomicOr"sv,
                               "atomicXor"sv,
                               "fetch_add"sv,
                               "fetch_sub"sv,
                               "fetch_min"sv,
                               "fetch_max"sv,
                               "fetch_and"sv,
                               "fetch_or"sv,
                               "fetch_xor"sv};
  for (const std::string_view suffix : {"_block"sv, "_system"sv, "_masked"sv}) {
    name.remove_suffix(name.ends_with(suffix) ? suffix.size() : 0);
  }
  return which == calls::exchanges ? std::ranges::find(exchanges, name) != exchanges.end()
                                   : std::ranges::find(updates, name) != updates.end();
}

bool begins_statement(reader r) {
  while (r.skip(".") || r.skip("->") || r.skip("::")) {
    r.operand();
  }
  switch (r.last()) {
  case ';':
  case '{':
  case '}':
    return true;
  case ':': { // a label's, or a condition's
    const std::string_view before = r.before();
    const std::size_t begin = before.find_last_of(";{}");
    return before.find('?', begin == std::string_view::npos ? 0 : begin) == std::string_view::npos;
  }
  case ')': {
    const std::string_view in = r.brackets('(', ')');
    constexpr std::array<std::string_view, 5> heads{"if", "while", "for", "switch", "constexpr"};
    return in == "(void)" || std::ranges::find(heads, r.word()) != heads.end();
  }
  default: {
    const std::string_view word = r.word();
    return word == "else" || word == "do";
  }
  }
}

/// The lines around one as a text without comments to the end of a line and directives, and where
/// that one begins.
std::string around(const std::vector<std::string>& lines, std::size_t line, std::size_t& begin) {
  constexpr std::size_t most = 20;
  std::string text;
  for (std::size_t i = line - std::min(line, most); i < std::min(lines.size(), line + most); ++i) {
    begin = i == line ? text.size() : begin;
    const std::string_view code = std::string_view(lines[i]).substr(0, lines[i].find("//"));
    text += code.starts_with('#') ? "" : code;
    text += '\n';
  }
  return text;
}

} // namespace

bool is_dropped(calls which,
                const std::vector<std::string>& lines,
                unsigned line,
                unsigned column) {
  if (line == 0 || line > lines.size() || column == 0) {
    return false;
  }
  std::size_t begin = 0;
  const std::string text = around(lines, line - 1, begin);
  std::size_t open = begin + column - 1; // g++ tells the parenthesis, clang++ the name
  while (open < text.size() && is_word(text[open])) {
    ++open;
  }
  if (open >= text.size() || text[open] != '(') {
    return false;
  }
  reader before(text, open);
  if (!is_one(which, before.word())) {
    return false;
  }
  std::size_t end = open;
  for (std::size_t depth = 0; end < text.size(); ++end) {
    depth += text[end] == '(' ? 1U : 0U;
    depth -= text[end] == ')' ? 1U : 0U;
    if (depth == 0) {
      break;
    }
  }
  const std::size_t next = text.find_first_not_of(" \t\n", std::min(end + 1, text.size()));
  return next != std::string::npos && text[next] == ';' && begins_statement(before);
}

bool dropped_results::of(const void* site) {
  const auto [it, is_new] = known_.try_emplace(site, false);
  if (is_new) {
    const auto frames = resolve(site);
    it->second = !frames.empty() && is_dropped(which_,
                                               sources_.of(frames.front().file),
                                               frames.front().line,
                                               frames.front().column);
  }
  return it->second;
}

} // namespace tilesim::sim
