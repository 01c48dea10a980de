// Expressions of the stepper: `bins[0:16]`, `t[1,2] * 2 == n`, `*p`, `&flags[3]`.
//
// C++'s operators and precedence over numbers, pointers, tiles and named buffers, and slices
// begin:end:stride behind a name. Names are the environment's business.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/expressions/environment.hpp"
#include "sim/expressions/value.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace tilesim::sim::step {

struct expression_node;

class expression {
public:
  /// Throws expression_error where the text is none.
  explicit expression(std::string text);
  ~expression();
  expression(const expression&) = delete;
  expression& operator=(const expression&) = delete;
  expression(expression&&) noexcept;
  expression& operator=(expression&&) noexcept;

  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  /// Throws expression_error for unknown names, indices outside a buffer or tile, operands that an
  /// operator does not take.
  [[nodiscard]] value evaluate(environment& names) const;

private:
  std::string text_;
  std::unique_ptr<expression_node> root_;
};

/// Each element as text ("1.5", "true", "0x7f00…"), row-major, at most `most` of them.
[[nodiscard]] std::vector<std::string> element_texts(const value& v, std::size_t most);

} // namespace tilesim::sim::step
