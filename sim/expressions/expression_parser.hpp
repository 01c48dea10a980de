// Text of an expression to a tree: C++'s operators and precedence, slices, casts.
//
// Behind expression.hpp; knows neither names nor memory.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/expressions/expression_tree.hpp"

#include <memory>
#include <string_view>

namespace tilesim::sim::step {

/// Throws expression_error.
[[nodiscard]] std::unique_ptr<expression_node> parse_expression(std::string_view text);

} // namespace tilesim::sim::step
