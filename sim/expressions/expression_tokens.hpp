// Tokens of expressions and the values of literals, for the parser.
//
// Private to expression_parser.cpp and expression_tokens.cpp.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/expressions/value.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace tilesim::sim::step {

enum class token_kind { end, number, character, name, symbol };

struct token {
  token_kind kind = token_kind::end;
  std::string_view text = {};
  std::size_t column = 0;
};

// Symbols that would change something are known so that they can be refused.
inline constexpr std::array<std::string_view, 13> mutations = {
    "=", "<<=", ">>=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="};

/// The last one is of kind `end`. Throws expression_error.
[[nodiscard]] std::vector<token> tokens_of(std::string_view text);

/// Throw expression_error for what is none.
[[nodiscard]] value number_literal(const token& t);
[[nodiscard]] value character_literal(const token& t);

} // namespace tilesim::sim::step
