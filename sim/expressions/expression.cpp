// An expression, parsed once and evaluated (evaluation.hpp) as often as asked; texts.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/expressions/expression.hpp"

#include "sim/expressions/evaluation.hpp"
#include "sim/expressions/expression_parser.hpp"
#include "sim/ops/element_text.hpp"

#include <algorithm>
#include <utility>

namespace tilesim::sim::step {

expression::expression(std::string text)
    : text_(std::move(text))
    , root_(parse_expression(text_)) {}

expression::~expression() = default;
expression::expression(expression&&) noexcept = default;
expression& expression::operator=(expression&&) noexcept = default;

value expression::evaluate(environment& names) const {
  value v = evaluation(text_, names).whole(*root_);
  names.annotate(v);
  return v;
}

std::vector<std::string> element_texts(const value& v, std::size_t most) {
  std::vector<std::string> texts;
  const std::size_t size = size_of(v.type.kind);
  const std::size_t n = std::min(most, v.bytes.size() / size);
  texts.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    texts.push_back(ops::element_text(v.type.kind, v.type.is_unsigned, v.bytes.data() + i * size));
  }
  return texts;
}

} // namespace tilesim::sim::step
