// The operators of expressions: C++'s, with their symbols and their precedence.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace tilesim::sim::step {

enum class unary_operator { plus, minus, logical_not, complement, dereference, address_of };

enum class binary_operator {
  multiply,
  divide,
  remainder,
  add,
  subtract,
  shift_left,
  shift_right,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  bit_and,
  bit_xor,
  bit_or,
  logical_and,
  logical_or,
};

struct binary_row {
  std::string_view symbol;
  binary_operator op;
  int precedence; ///< higher binds tighter
};

inline constexpr std::array<binary_row, 18> binary_rows = {{
    {"*", binary_operator::multiply, 10},
    {"/", binary_operator::divide, 10},
    {"%", binary_operator::remainder, 10},
    {"+", binary_operator::add, 9},
    {"-", binary_operator::subtract, 9},
    {"<<", binary_operator::shift_left, 8},
    {">>", binary_operator::shift_right, 8},
    {"<", binary_operator::less, 7},
    {"<=", binary_operator::less_equal, 7},
    {">", binary_operator::greater, 7},
    {">=", binary_operator::greater_equal, 7},
    {"==", binary_operator::equal, 6},
    {"!=", binary_operator::not_equal, 6},
    {"&", binary_operator::bit_and, 5},
    {"^", binary_operator::bit_xor, 4},
    {"|", binary_operator::bit_or, 3},
    {"&&", binary_operator::logical_and, 2},
    {"||", binary_operator::logical_or, 1},
}};

struct unary_row {
  std::string_view symbol;
  unary_operator op;
};

inline constexpr std::array<unary_row, 6> unary_rows = {{
    {"+", unary_operator::plus},
    {"-", unary_operator::minus},
    {"!", unary_operator::logical_not},
    {"~", unary_operator::complement},
    {"*", unary_operator::dereference},
    {"&", unary_operator::address_of},
}};

/// As it is written: "<<".
[[nodiscard]] const char* spelling(unary_operator op) noexcept;
[[nodiscard]] const char* spelling(binary_operator op) noexcept;

} // namespace tilesim::sim::step
