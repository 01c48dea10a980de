// Collects the names declared with __tile_global__ and __global__.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/kernel_names.hpp"

#include "tools/brackets.hpp"

#include <algorithm>
#include <optional>

namespace tilesim::driver {
namespace {

// Words that a parenthesis may follow in a declaration in front of the function's name.
bool takes_parentheses(std::string_view word) {
  static const std::unordered_set<std::string_view> words{"__launch_bounds__",
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
  return words.contains(word);
}

// The name of the function whose declaration's specifiers go on at `i`, if one is declared.
std::optional<std::string_view> declared_name(const token_view& t, std::size_t i) {
  while (i < t.size()) {
    const auto word = t.spelling(i);
    if (t.is(i, token_kind::identifier)) {
      if (takes_parentheses(word) && t.spelling(i + 1) == "(") {
        i = t.matching_close(i + 1) + 1;
        continue;
      }
      if (t.spelling(i + 1) == "(")
        return word;
      if (t.spelling(i + 1) == "<") {
        const auto behind = t.skip_template_arguments(i + 1);
        if (behind && t.spelling(*behind) == "(")
          return word;
        i = behind.value_or(i + 1);
        continue;
      }
    } else if (word == "[") {
      i = t.matching_close(i) + 1;
      continue;
    } else if (word == ";" || word == "{" || word == "=" || word == "}" || word == ")") {
      return {};
    }
    ++i;
  }
  return {};
}

} // namespace

void kernel_names::scan(const lexed& source, const std::vector<token>& tokens) {
  const token_view view(source, tokens);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != token_kind::identifier)
      continue;
    const auto word = view.spelling(i);
    const bool tile = tile_specifiers_.contains(word);
    if (!tile && !simt_specifiers_.contains(word))
      continue;
    if (const auto name = declared_name(view, i + 1))
      (tile ? tile_ : simt_).insert(*name);
  }
}

kernel_names::kernel_names(const lexed& source) {
  for (const auto& macro : source.macros) {
    // The API defines the specifiers themselves as macros, in terms of attributes.
    if (macro.name == "__tile_global__" || macro.name == "__global__")
      continue;
    const token_view body(source, macro.body);
    for (std::size_t i = 0; i < macro.body.size(); ++i) {
      const auto word = body.spelling(i);
      const bool tile = tile_specifiers_.contains(word);
      if (!tile && !simt_specifiers_.contains(word))
        continue;
      // The parameters of a macro are no names; a body without a name is a specifier.
      const auto name = declared_name(body, i + 1);
      if (!name)
        (tile ? tile_specifiers_ : simt_specifiers_).insert(macro.name);
      else if (std::ranges::find(macro.parameters, *name) == macro.parameters.end())
        (tile ? tile_ : simt_).insert(*name);
    }
  }
  scan(source, source.tokens);
}

std::string_view kernel_names::kind_of(std::string_view name) const {
  const bool tile = tile_.contains(name);
  const bool simt = simt_.contains(name);
  if (tile == simt)
    return "unknown";
  return tile ? "tile" : "simt";
}

} // namespace tilesim::driver
