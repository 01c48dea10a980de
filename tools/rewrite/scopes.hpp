// Where a token stands: at namespace scope or inside something, and in which macro's arguments.
//
// launches.cpp asks, because a lambda outside functions may have no capture-default, and because
// some places cannot take a newline.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/rewrite/brackets.hpp"

#include <optional>
#include <vector>

namespace tilesim::tools {

class scope_stack {
public:
  scope_stack(const lexed& source, const token_view& tokens)
      : source_(source)
      , t_(tokens) {}

  /// To be called for every token in turn.
  void enter(std::size_t i);

  /// Inside nothing but namespaces, linkage specifications and parentheses.
  [[nodiscard]] bool at_namespace_scope() const;
  /// The parenthesis that opens the arguments of the outermost macro around the token.
  [[nodiscard]] std::optional<std::size_t> macro_use() const;

private:
  struct bracket {
    std::size_t index;
    char what; ///< ( [ {
    bool is_namespace;
  };

  void follow_conditionals(std::size_t offset);
  [[nodiscard]] bool opens_namespace(std::size_t brace) const;

  const lexed& source_;
  const token_view& t_;
  std::vector<bracket> open_;
  std::size_t next_conditional_ = 0;
  std::vector<std::vector<bracket>> at_if_; ///< what was open at each #if that is still standing
};

} // namespace tilesim::tools
