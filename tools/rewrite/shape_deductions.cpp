// Finding `ct::shape{`.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/rewrite/shape_deductions.hpp"

#include <string_view>
#include <unordered_set>

namespace tilesim::tools {

std::vector<span> shape_deductions(const lexed& source) {
  const auto& tokens = source.tokens;
  const auto is = [&](std::size_t i, std::string_view spelling) {
    return i < tokens.size() && source.spelling(tokens[i]) == spelling;
  };
  // namespace ct = [::]cuda::tiles;
  std::unordered_set<std::string_view> names{"tiles"};
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    if (!is(i, "namespace") || !is(i + 2, "=")) {
      continue;
    }
    auto last = i + 3;
    while (last + 1 < tokens.size() && !is(last + 1, ";")) {
      ++last;
    }
    if (is(last, "tiles")) {
      names.insert(source.spelling(tokens[i + 1]));
    }
  }
  std::vector<span> found;
  for (std::size_t i = 2; i + 1 < tokens.size(); ++i) {
    if (is(i, "shape") && is(i - 1, "::") && names.contains(source.spelling(tokens[i - 2])) &&
        (is(i + 1, "{") || is(i + 1, "("))) {
      found.push_back({tokens[i].begin, tokens[i].end});
    }
  }
  return found;
}

} // namespace tilesim::tools
