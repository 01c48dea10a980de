// An expression as a tree: what the parser makes of its text, and what is evaluated.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/expressions/operators.hpp"
#include "sim/expressions/value.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace tilesim::sim::step {

struct expression_node;

/// One index of a subscript: `i`, or `begin:end:stride`, whose parts may be left out.
struct subscript {
  bool is_slice = false;
  std::unique_ptr<expression_node> begin; ///< of an index, the index
  std::unique_ptr<expression_node> end;
  std::unique_ptr<expression_node> stride;
  std::size_t column = 0;
};

struct expression_node {
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
  std::vector<std::unique_ptr<expression_node>> operands; ///< in the order they are written
  std::vector<subscript> indices; ///< index, whose operand is what is indexed
};

} // namespace tilesim::sim::step
