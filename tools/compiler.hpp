// The host compiler: which one, and what it is told in addition to the user's own flags.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cache.hpp"
#include "tools/process.hpp"

#include <string>

namespace tilesim::driver {

enum class compiler_kind : unsigned char { gcc, clang };

struct compiler {
  command_line command; ///< $CXX may be several words, such as "ccache g++"
  compiler_kind kind = compiler_kind::gcc;
  std::string identity; ///< changes when the program does
};

/// $CXX, else g++, else clang++. Throws failure when there is none.
[[nodiscard]] compiler find_compiler(const cache& results);

/// Flags for every step that sees user code.
[[nodiscard]] command_line code_flags(compiler_kind kind);
/// What nvcc defines and tilesim does too.
[[nodiscard]] command_line predefined_macros();
/// Flags under which the compiler reports raw accesses, and leaves them one by one.
[[nodiscard]] command_line hook_flags(compiler_kind kind);

} // namespace tilesim::driver
