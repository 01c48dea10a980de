// The operators of expressions, as they are written.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/expressions/operators.hpp"

namespace tilesim::sim::step {

const char* spelling(unary_operator op) noexcept {
  for (const unary_row& row : unary_rows) {
    if (row.op == op) {
      return row.symbol.data();
    }
  }
  return "?";
}

const char* spelling(binary_operator op) noexcept {
  for (const binary_row& row : binary_rows) {
    if (row.op == op) {
      return row.symbol.data();
    }
  }
  return "?";
}

} // namespace tilesim::sim::step
