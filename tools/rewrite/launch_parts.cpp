// Reads the parts of a launch: backward over the callee, forward to >>>.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/rewrite/launch_parts.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace tilesim::tools {
namespace {

// Words that may stand in front of a callee and are no part of it.
bool is_keyword(std::string_view word) {
  static const std::unordered_set<std::string_view> words{
      "return", "else", "do",       "case",     "goto",   "co_return", "co_yield", "co_await",
      "throw",  "if",   "while",    "for",      "switch", "new",       "delete",   "and",
      "or",     "not",  "typename", "operator", "sizeof", "constexpr", "try",      "default"};
  return words.contains(word);
}

// True if what ends in front of `colons` is what they look into: a name, a template's
// specialisation, decltype(...).
bool names_a_scope(const token_view& t, std::size_t colons) {
  if (colons == 0) {
    return false;
  }
  const auto last = colons - 1;
  if (t.is_punct(last, ")")) {
    const auto open = t.matching_open(last);
    return open && *open > 0 && t.spelling(*open - 1).find("typ") != std::string_view::npos;
  }
  return t.is_punct(last, ">") ||
         (t.is(last, token_kind::identifier) && !is_keyword(t.spelling(last)));
}

// True if the bracket at `open` belongs to a call or to a braced temporary: not to if (x), a cast
// or an expression in parentheses.
bool is_called(const token_view& t, std::size_t open) {
  if (open == 0) {
    return false;
  }
  const auto last = open - 1;
  if (t.is_punct(last, ")")) {
    const auto before = t.matching_open(last);
    return before && is_called(t, *before);
  }
  return t.is_punct(last, ">") || t.is_punct(last, "]") ||
         (t.is(last, token_kind::identifier) && !is_keyword(t.spelling(last)));
}

} // namespace

// The first token of the callee that ends in front of `launch`, if there is one.
std::optional<std::size_t> callee_begin(const token_view& t, std::size_t launch) {
  std::size_t i = launch; // behind the part of the callee that is still to be read
  while (i > 0) {
    std::size_t first = i - 1;
    while (t.is_punct(first, "]")) { // an element of an array of kernels
      const auto open = t.matching_open(first);
      if (!open || *open == 0) {
        return {};
      }
      first = *open - 1;
    }
    if (t.is_punct(first, ">")) {
      const auto open = t.template_arguments_open(first);
      if (!open || *open == 0 || !t.is(*open - 1, token_kind::identifier)) {
        return {};
      }
      first = *open - 1;
    } else if (t.is_punct(first, ")") || t.is_punct(first, "}")) {
      const auto open = t.matching_open(first);
      if (!open) {
        return {};
      }
      first = *open;
      if (is_called(t, first)) { // and what is called belongs to the callee
        const auto begin = callee_begin(t, first);
        return begin ? begin : std::optional(first);
      }
      if (t.is_punct(first, "{")) {
        return {};
      }
    } else if (!t.is(first, token_kind::identifier) || is_keyword(t.spelling(first))) {
      return {};
    }
    if (first > 0 && t.spelling(first - 1) == "template") {
      --first;
    }
    if (first == 0) {
      return first;
    }
    const auto before = t.spelling(first - 1);
    if (before == "#" && first > 2 && t.spelling(first - 2) == "#") { // a##b: one name
      i = first - 2;
      continue;
    }
    if (before == "." || before == "->") {
      i = first - 1;
      continue;
    }
    if (before != "::") {
      return first;
    }
    if (!names_a_scope(t, first - 1)) {
      return first - 1; // ::name
    }
    i = first - 1;
  }
  return {};
}

// The first > of the >>> that ends the configuration of the launch at `open`, if there is one.
//
// It is followed by a parenthesis and stands outside brackets. The three that end nested template
// arguments may look the same, k<<<f<A<B<int>>>(), 1>>>(): so opened angle brackets are counted;
// where counting fails, as for k<<<a < b ? 1 : 2, 1>>>(), the last candidate is taken.
std::optional<std::size_t> config_end(const token_view& t, std::size_t open) {
  std::optional<std::size_t> last;
  std::size_t angles = 0;
  for (auto i = open + 1; i < t.size(); ++i) {
    if (t.opens(i)) {
      i = t.matching_close(i);
    } else if (t.closes(i) || t.is_punct(i, ";") || t.is(i, token_kind::launch)) {
      break;
    } else if (t.is_punct(i, "<")) {
      if (t.is_punct(i + 1, "<") && t.touches_next(i)) {
        ++i;
      } else if (t.is(i - 1, token_kind::identifier)) {
        ++angles;
      }
    } else if (t.is_punct(i, ">")) {
      auto run = i;
      while (t.touches_next(run) && t.is_punct(run + 1, ">")) {
        ++run;
      }
      const auto count = run - i + 1;
      const bool candidate = count >= 3 && t.is_punct(run + 1, "(");
      if (candidate) {
        last = run - 2;
      }
      if (candidate && angles <= count - 3) {
        return last;
      }
      angles -= std::min(angles, count);
      i = run;
    }
  }
  return last;
}

// The callee in one line, as a string literal.
std::string quoted_name(const token_view& t, std::size_t begin, std::size_t end) {
  std::string text;
  const auto is_word = [&](std::size_t i) {
    return t.is(i, token_kind::identifier) || t.is(i, token_kind::number);
  };
  for (auto i = begin; i < end; ++i) {
    if (i > begin && ((is_word(i - 1) && is_word(i)) || t.is_punct(i - 1, ","))) {
      text += ' ';
    }
    text += t.spelling(i);
  }
  for (auto at = text.find("\\\n"); at != std::string::npos; at = text.find("\\\n")) {
    text.erase(at, 2); // a spliced line
  }
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
    }
    quoted += c == '\n' ? ' ' : c;
  }
  return quoted + '"';
}

} // namespace tilesim::tools
