// Turns kernel<<<config>>>(arguments) into calls that a host compiler understands, and kernels into
// functions that can be called so.
//
// The text in is preprocessed with macros not yet expanded (g++ -E -fdirectives-only, clang++ -E
// -frewrite-includes); the text out goes to the compiler, and every byte of the user's code keeps
// its file, line and column. The generated calls are those of api/tilesim/launch.hpp.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/rewrite/launches.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tilesim::tools {

struct rewrite_options {
  /// Directives inside the arguments of a macro draw a pedantic warning: add none there, and let
  /// the columns behind a launch be wrong until the macro's closing parenthesis.
  bool pedantic = false;
  /// Text that the preprocessor leaves although it is skipped (clang's does) may hold anything.
  bool lenient = false;
  /// The specifiers are left in the text although the compiler does not know them.
  bool erase_specifiers = false;
  /// Headers below this folder are marked as system headers, so that warnings spare them.
  std::string system_folder;
};

struct rewritten {
  std::string text;
  std::size_t launches = 0;
  std::size_t longest_body = 0;    ///< as body_length.hpp counts it
  std::vector<std::string> errors; ///< file:line:column: error: fact; remedy
};

[[nodiscard]] rewritten rewrite_launches(std::string_view preprocessed,
                                         const rewrite_options& options = {});

} // namespace tilesim::tools
