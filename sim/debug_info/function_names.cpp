// The grammar is that of the demangler: [return type] name [(parameters) [qualifiers]].
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/debug_info/function_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace tilesim::sim {

namespace {

bool is_in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Whether the word "operator" stands at `at`.
bool is_operator(std::string_view text, std::size_t at) {
  constexpr std::string_view word = "operator";
  return text.substr(at, word.size()) == word && (at == 0 || !is_in_name(text[at - 1])) &&
         (at + word.size() == text.size() || !is_in_name(text[at + word.size()]));
}

/// Behind "operator" and its symbol. Conversions, new, delete and literals have none.
std::size_t behind_operator(std::string_view text, std::size_t at) {
  constexpr std::array<std::string_view, 14> longer{
      "()", "[]", "<=>", "<<=", ">>=", "->*", "->", "<<", "<=", "<", ">>", ">=", ">", "&&"};
  at += std::string_view("operator").size();
  const std::string_view rest = text.substr(at);
  const auto* const symbol = std::ranges::find_if(
      longer, [&](std::string_view s) { return rest.substr(0, s.size()) == s; });
  return symbol != longer.end() ? at + symbol->size() : at;
}

/// Behind the bracket that closes the one at `at`.
std::size_t behind_group(std::string_view text, std::size_t at) {
  std::string open; // the brackets that close those that are open
  while (at < text.size()) {
    if (is_operator(text, at)) {
      at = behind_operator(text, at);
      continue;
    }
    constexpr std::string_view opening = "(<[{";
    constexpr std::string_view closing = ")>]}";
    const char c = text[at];
    if (const std::size_t which = opening.find(c); which != std::string_view::npos) {
      open.push_back(closing[which]);
    } else if (!open.empty() && c == open.back() && (c != '>' || text[at - 1] != '-')) {
      open.pop_back();
      if (open.empty()) {
        return at + 1;
      }
    }
    ++at;
  }
  return at;
}

/// Whether the parenthesis at `at` is that of decltype.
bool is_decltype(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  return before.ends_with("decltype") || before.ends_with("decltype ");
}

/// Whether the parenthesis at `at`, which ends before `behind`, is part of what stands before the
/// parameters: of an unnamed namespace, of decltype, or of the function that a local entity is in.
bool belongs_to_name(std::string_view text, std::size_t at, std::size_t behind) {
  const std::string_view after = text.substr(behind);
  return text.substr(at).starts_with("(anonymous ") || is_decltype(text, at) ||
         after.starts_with("::") || after.starts_with(" const::");
}

} // namespace

std::string without_signature(std::string_view demangled) {
  std::size_t begin = 0;
  std::size_t at = 0;
  bool in_operator = false; // whose type or word is part of the name
  while (at < demangled.size()) {
    const char c = demangled[at];
    if (is_operator(demangled, at)) {
      in_operator = true;
      at = behind_operator(demangled, at);
    } else if (begin == at && demangled.substr(at).starts_with("(*") &&
               !is_decltype(demangled, at)) {
      at += 2; // what is returned points to a function or an array
      begin = at;
    } else if (c == '(' || c == '<' || c == '[' || c == '{') {
      const std::size_t behind = behind_group(demangled, at);
      if (c == '(' && !belongs_to_name(demangled, at, behind)) {
        break;
      }
      in_operator = in_operator && c != '('; // of a function that something is local to
      at = behind + (demangled.substr(behind).starts_with(" const::") ? 6 : 0);
    } else {
      begin = c == ' ' && !in_operator ? at + 1 : begin;
      ++at;
    }
  }
  return std::string(demangled.substr(begin, at - begin));
}

bool is_constructor(std::string_view function) {
  // Where the last "::" is that belongs to no template's arguments.
  std::size_t split = std::string_view::npos;
  std::size_t class_begins = 0;
  int depth = 0;
  for (std::size_t i = 0; i + 1 < function.size(); ++i) {
    depth += function[i] == '<' || function[i] == '(' ? 1 : 0;
    depth -= function[i] == '>' || function[i] == ')' ? 1 : 0;
    if (depth == 0 && function[i] == ':' && function[i + 1] == ':') {
      class_begins = split == std::string_view::npos ? 0 : split + 2;
      split = i;
    }
  }
  if (split == std::string_view::npos) {
    return false;
  }
  const auto plain = [](std::string_view name) { return name.substr(0, name.find('<')); };
  return plain(function.substr(class_begins, split - class_begins)) ==
         plain(function.substr(split + 2));
}

} // namespace tilesim::sim
