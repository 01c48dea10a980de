// Text of an expression to a tree: C++'s operators and precedence, slices, casts.
//
// Behind expression.hpp; knows neither names nor memory.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/expressions/expression.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

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

/// As it is written: "<<".
[[nodiscard]] const char* spelling(unary_operator op) noexcept;
[[nodiscard]] const char* spelling(binary_operator op) noexcept;

/// One index of a subscript: `i`, or `begin:end:stride`, whose parts may be left out.
struct subscript {
  bool is_slice = false;
  std::unique_ptr<expression::node> begin; ///< of an index, the index
  std::unique_ptr<expression::node> end;
  std::unique_ptr<expression::node> stride;
  std::size_t column = 0;
};

struct expression::node {
  enum class kind { literal, name, unary, binary, index, member, arrow, cast, call };

  kind what = kind::literal;
  std::size_t column = 0; ///< where an error about this node points: a name, an operator
  std::size_t begin = 0;  ///< its text: [begin, end) of the expression's
  std::size_t end = 0;

  value constant = {};   ///< literal
  std::string name = {}; ///< name, member, arrow, call; cast: the program's type, or empty
  unary_operator unary = unary_operator::plus;   ///< unary
  binary_operator binary = binary_operator::add; ///< binary
  value_type target = {};                        ///< cast to a basic type
  std::size_t stars = 0;       ///< cast to the program's type: levels of pointers to it
  std::size_t type_column = 0; ///< where its name stands
  std::vector<std::unique_ptr<expression::node>> operands; ///< in the order they are written
  std::vector<subscript> indices; ///< index, whose operand is what is indexed
};

/// Throws expression_error.
[[nodiscard]] std::unique_ptr<expression::node> parse_expression(std::string_view text);

} // namespace tilesim::sim::step
