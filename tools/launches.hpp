// Finds the launches in lexed text: where the callee, the configuration and the arguments stand.
//
// rewrite.cpp turns them into calls.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/kernel_names.hpp"
#include "tools/launch_parts.hpp"
#include "tools/lexer.hpp"

#include <string>
#include <vector>

namespace tilesim::driver {

enum class launch_place : unsigned char {
  code,
  macro_argument, ///< inside the parentheses of a function-like macro's use
  macro_body,     ///< in a #define, where no newline may be added
};

struct launch {
  span callee, config, args;    ///< without the brackets around them
  std::size_t end = 0;          ///< behind the closing parenthesis
  std::string name;             ///< the callee in one line: a string literal, or #parameter
  std::string_view kind;        ///< an enumerator of tilesim::kernel_kind
  std::vector<span> zeros;      ///< the arguments that are a literal zero
  bool callee_is_value = false; ///< an expression that has to be evaluated, not a kernel's name
  bool this_callee = false;     ///< the callee begins with this->
  bool at_namespace_scope = false;
  bool without_arguments = false; ///< a macro's body ends with >>>: its use brings them
  launch_place place = launch_place::code;
  std::size_t resync = 0; ///< where columns may be put right again, unless in code
};

struct rewrite_error {
  location where;
  std::string message;
};

/// A piece of the text that another stands in for.
struct edit {
  span where;
  std::string_view text; ///< may be empty
};

struct found_launches {
  std::vector<launch> launches; ///< by the beginning of the callee
  /// By their beginning: the <<< and >>> of macros that are a configuration and no more go, and
  /// `shape` of a deduction becomes `extents` (shape_deductions.hpp).
  std::vector<edit> edits;
  std::vector<rewrite_error> errors;
};

[[nodiscard]] found_launches find_launches(const lexed& source, const kernel_names& kernels);

} // namespace tilesim::driver
