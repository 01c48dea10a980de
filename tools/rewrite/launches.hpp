// Finds the launches in lexed text: where the callee, the configuration and the arguments stand.
//
// rewrite.cpp turns them into calls.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/rewrite/launch_parts.hpp"
#include "tools/rewrite/lexer.hpp"

#include <string>
#include <vector>

namespace tilesim::tools {

struct launch {
  span callee, config;            ///< without the brackets around them
  span arguments;                 ///< with their parentheses
  std::size_t end = 0;            ///< behind the closing parenthesis
  std::string name;               ///< the callee in one line: a string literal, or #parameter
  bool without_arguments = false; ///< a macro's body ends with >>>: its use brings them
  text_place place = text_place::code;
  std::size_t resync = 0; ///< where columns may be put right again, unless in code
};

struct rewrite_error {
  location where;
  std::string message;
};

struct found_launches {
  std::vector<launch> launches; ///< by the beginning of the callee
  /// By their beginning: the <<< and >>> of macros that are a configuration and no more go.
  std::vector<edit> edits;
  std::vector<rewrite_error> errors;
};

[[nodiscard]] found_launches find_launches(const lexed& source);

} // namespace tilesim::tools
