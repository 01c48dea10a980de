// Declarations of functions, read as far as it goes without knowing what a name stands for.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/rewrite/declarators.hpp"

#include <algorithm>
#include <unordered_set>

namespace tilesim::tools {
namespace {

using words = std::unordered_set<std::string_view>;

// Words that a parenthesis may follow in a declaration in front of the function's name.
bool takes_parentheses(std::string_view word) {
  static const words all{"__launch_bounds__",
                         "__cluster_dims__",
                         "__block_size__",
                         "__maxnreg__",
                         "__attribute__",
                         "__attribute",
                         "__declspec",
                         "__annotate__",
                         "alignas",
                         "_Alignas",
                         "decltype",
                         "__typeof__",
                         "typeof",
                         "noexcept",
                         "requires",
                         "explicit"};
  return all.contains(word);
}

// Words that name a type, or part of one, and so no parameter.
bool is_type_word(std::string_view word) {
  static const words all{"void",       "bool",     "char",
                         "char8_t",    "char16_t", "char32_t",
                         "wchar_t",    "short",    "int",
                         "long",       "signed",   "unsigned",
                         "float",      "double",   "const",
                         "volatile",   "auto",     "__int128",
                         "struct",     "class",    "union",
                         "enum",       "typename", "__restrict__",
                         "__restrict", "restrict", "__grid_constant__",
                         "decltype"};
  return all.contains(word);
}

// Words that begin another declaration: the one before was a macro's and needs no semicolon.
bool begins_declaration(std::string_view word) {
  static const words all{"struct",
                         "class",
                         "union",
                         "enum",
                         "namespace",
                         "template",
                         "using",
                         "typedef",
                         "static",
                         "inline",
                         "extern",
                         "void",
                         "constexpr",
                         "int",
                         "friend",
                         "__global__",
                         "__tile_global__"};
  return all.contains(word);
}

// The token behind a template's argument list at `i`, or a bracket's; i + 1 for any other.
std::size_t behind(const token_view& t, std::size_t i) {
  if (t.opens(i)) {
    return t.matching_close(i) + 1;
  }
  if (t.is_punct(i, "<")) {
    return t.skip_template_arguments(i).value_or(i + 1);
  }
  return i + 1;
}

enum class parameter_of : unsigned char { function, a_template };

// One parameter in the tokens [begin, end), without its default.
std::optional<parameter_name>
read_parameter(const token_view& t, std::size_t begin, std::size_t end, parameter_of what) {
  parameter_name p;
  auto last = end;
  for (auto i = begin; i < end; i = behind(t, i)) {
    if (t.is_punct(i, "=")) {
      last = i;
      break;
    }
    p.pack = p.pack || t.is_punct(i, "...");
  }
  const bool is_array = last > begin && t.is_punct(last - 1, "]");
  while (last > begin && t.is_punct(last - 1, "]")) { // T name[4], T name [[attribute]]
    const auto open = t.matching_open(last - 1);
    if (!open || *open <= begin) {
      return {};
    }
    last = *open;
  }
  if (last == begin) {
    return {};
  }
  p.at = last - 1;
  if (t.is(p.at, token_kind::identifier) && !is_type_word(t.spelling(p.at))) {
    const auto before = p.at == begin ? std::string_view{} : t.spelling(p.at - 1);
    if (before == "#") { // a##b: one name
      return {};
    }
    static const words types{"typename", "struct", "class", "enum", "union"};
    const bool only_qualified = (before == "const" || before == "volatile") && p.at == begin + 1;
    if (is_array && (before.empty() || before == "::" || is_type_word(before)) && p.at == begin) {
      return {};
    }
    p.named = !before.empty() && before != "::" && before != "template" && !only_qualified &&
              (what == parameter_of::a_template || !types.contains(before));
    return p;
  }
  // void (*name)(int), T (&name)[4]: the name is in the first parentheses
  if (t.is_punct(p.at, ")")) {
    for (auto i = begin; i < last; ++i) {
      if (!t.is_punct(i, "(") || !(t.is_punct(i + 1, "*") || t.is_punct(i + 1, "&"))) {
        continue;
      }
      const auto close = t.matching_close(i);
      if (close < last && t.is(close - 1, token_kind::identifier) && close - 1 > i + 1) {
        p.at = close - 1;
        p.named = true;
        return p;
      }
      return {};
    }
    return {};
  }
  const bool ends_type = t.is(p.at, token_kind::identifier) || t.is_punct(p.at, "*") ||
                         t.is_punct(p.at, "&") || t.is_punct(p.at, "&&") || t.is_punct(p.at, ">") ||
                         t.is_punct(p.at, "...");
  return ends_type && !is_array ? std::optional(p) : std::nullopt;
}

// The parts of [begin, end) between commas outside brackets.
std::vector<std::pair<std::size_t, std::size_t>>
between_commas(const token_view& t, std::size_t begin, std::size_t end) {
  std::vector<std::pair<std::size_t, std::size_t>> parts;
  auto from = begin;
  for (auto i = begin; i < end; i = behind(t, i)) {
    if (t.is_punct(i, ",")) {
      parts.emplace_back(from, i);
      from = i + 1;
    }
  }
  parts.emplace_back(from, end);
  return parts;
}

} // namespace

std::optional<std::vector<parameter_name>>
function_parameters(const token_view& t, std::size_t open, std::size_t close) {
  std::vector<parameter_name> all;
  if (close == open + 1 || (close == open + 2 && t.spelling(open + 1) == "void")) {
    return all;
  }
  for (const auto& [begin, end] : between_commas(t, open + 1, close)) {
    const auto p = read_parameter(t, begin, end, parameter_of::function);
    if (!p) {
      return {};
    }
    all.push_back(*p);
  }
  return all;
}

std::optional<std::string> own_template_arguments(const token_view& t, std::size_t open) {
  const auto end = t.skip_template_arguments(open);
  if (!end) {
    return {};
  }
  std::string text;
  const auto parts = between_commas(t, open + 1, *end - 1);
  for (std::size_t n = 0; n < parts.size(); ++n) {
    const auto [begin, part_end] = parts[n];
    const auto p = read_parameter(t, begin, part_end, parameter_of::a_template);
    if (!p) {
      return {};
    }
    const bool has_default = t.spelling(p->at + 1) == "=";
    if (!p->named && has_default) { // and so have all that follow: they are what they were
      break;
    }
    if (!p->named || (p->pack && n + 1 < parts.size())) {
      return {};
    }
    text += (n == 0 ? "" : ", ") + std::string(t.spelling(p->at)) + (p->pack ? "..." : "");
  }
  return '<' + text + '>';
}

namespace {

/// Behind a requires clause or expression whose keyword stands at `i`.
std::size_t behind_requires(const token_view& t, std::size_t i) {
  i += t.spelling(i + 1) == "requires" ? 2U : 1U;
  if (t.is_punct(i, "(")) {
    i = t.matching_close(i) + 1;
  }
  if (t.is_punct(i, "{") && t.spelling(i - 1) != "requires" && !t.is_punct(i - 1, ")")) {
    return i;
  }
  if (t.is_punct(i, "{") && t.matching_close(i) + 1 < t.size() &&
      t.is_punct(t.matching_close(i) + 1, "{")) {
    i = t.matching_close(i) + 1;
  }
  return i;
}

/// The identifier at `i`, with parentheses behind it: the declared name with its parameters, which
/// `d` takes, or a macro that stands before it. Behind them; `i` if it is neither.
std::size_t read_name(const token_view& t, std::size_t i, declarator& d) {
  auto open = i + 1;
  if (t.is_punct(open, "<")) {
    open = t.skip_template_arguments(open).value_or(open);
  }
  if (!t.is_punct(open, "(")) {
    return i;
  }
  const auto close = t.matching_close(open);
  const auto next = t.spelling(close + 1);
  if (next == "(") { // NAME(k)(float* p)
    d.open = close + 1;
    d.close = t.matching_close(close + 1);
    return d.close + 1;
  }
  static const words follow{"noexcept", "requires", "__attribute__", "__launch_bounds__", "final"};
  const bool more_words = next == "void" || next == "static" || next == "inline";
  const bool goes_on = t.is(close + 1, token_kind::identifier) && !follow.contains(next) &&
                       !begins_declaration(next);
  if (more_words || goes_on) { // BOUNDS(256) void k(float* p)
    return close + 1;
  }
  if (next == "*" || next == "&" || next == "::") {
    return i;
  }
  d.name = i;
  d.name_end = open;
  d.open = open;
  d.close = close;
  return close + 1;
}

} // namespace

std::optional<declarator> read_declarator(const token_view& t, std::size_t i) {
  declarator d;
  bool has_parameters = false;
  while (i < t.size()) {
    const auto word = t.spelling(i);
    if (t.is_punct(i, "{")) {
      d.body = i;
      return d;
    }
    if (t.is_punct(i, ";") || t.is_punct(i, "=") || t.is_punct(i, "}") || t.is_punct(i, ")") ||
        t.is_punct(i, ",")) {
      return has_parameters ? std::optional(d) : std::nullopt;
    }
    if (has_parameters && begins_declaration(word)) {
      return d;
    }
    static const words other{
        "struct", "class", "union", "enum", "namespace", "using", "template", "friend", "typedef"};
    if (other.contains(word)) {
      return {};
    }
    if (word == "requires") {
      i = behind_requires(t, i);
      continue;
    }
    if (t.is(i, token_kind::identifier) && !takes_parentheses(word) && !has_parameters) {
      if (const auto behind = read_name(t, i, d); behind != i) {
        has_parameters = d.close != 0;
        i = behind;
        d.unfinished = has_parameters && i >= t.size();
        continue;
      }
    }
    i = t.is(i, token_kind::identifier) && t.is_punct(i + 1, "<")
            ? t.skip_template_arguments(i + 1).value_or(i + 2)
        : t.opens(i) ? t.matching_close(i) + 1
                     : i + 1;
  }
  d.unfinished = true;
  return d;
}

std::size_t declaration_begin(const token_view& t, std::size_t i) {
  while (i > 0) {
    const auto last = i - 1;
    if (t.is_punct(last, "}")) { // requires { … } is part of a template's head
      const auto open = t.matching_open(last);
      const auto before =
          open && *open > 0 && t.is_punct(*open - 1, ")") ? t.matching_open(*open - 1) : open;
      if (!before || *before == 0 || t.spelling(*before - 1) != "requires") {
        return i;
      }
      i = *before - 1;
    } else if (t.is_punct(last, ")") || t.is_punct(last, "]")) {
      const auto open = t.matching_open(last);
      if (!open) {
        return i;
      }
      i = *open;
    } else if (t.is_punct(last, ";") || t.opens(last) || t.is_punct(last, ":")) {
      return i;
    } else {
      --i;
    }
  }
  return i;
}

} // namespace tilesim::tools
