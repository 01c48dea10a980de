// Expressions of the stepper: `bins[0:16]`, `t[1,2] * 2 == n`, `*p`, `&flags[3]`.
//
// C++'s operators and precedence over numbers, pointers, tiles and named buffers, and slices
// begin:end:stride behind a name. Names are the environment's business.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/expressions/value.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tilesim::sim::step {

/// Where an expression finds names and memory.
class environment {
public:
  environment() = default;
  virtual ~environment() = default;
  environment(const environment&) = delete;
  environment& operator=(const environment&) = delete;

  /// A variable, a buffer, or `$block`-like quantity (with its dollar sign); nothing if unknown.
  [[nodiscard]] virtual std::optional<value> lookup(std::string_view name) = 0;
  /// What there is instead of a name that nothing has: "outs[0], outs[1]"; empty if nothing is
  /// similar.
  [[nodiscard]] virtual std::string similar(std::string_view /*name*/) { return {}; }
  /// A type of the program's: "myint", "app::point". Nothing if none has the name.
  [[nodiscard]] virtual std::optional<named_type> type_named(std::string_view /*name*/) {
    return std::nullopt;
  }
  /// Copies memory out. False if some of it may not be read.
  [[nodiscard]] virtual bool read(std::uintptr_t address, std::size_t bytes, void* to) = 0;
  /// Adds to a whole expression's value what is known of its elements besides their bits.
  virtual void annotate(value& /*v*/) {}
};

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

  struct node;

private:
  std::string text_;
  std::unique_ptr<node> root_;
};

/// Is it a number that is not 0? Throws expression_error for a value of several elements.
[[nodiscard]] bool is_true(const value& v);

/// Each element as text ("1.5", "true", "0x7f00…"), row-major, at most `most` of them.
[[nodiscard]] std::vector<std::string> element_texts(const value& v, std::size_t most);

} // namespace tilesim::sim::step
