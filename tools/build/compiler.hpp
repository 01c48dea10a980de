// The host compiler: which one, and what it is told in addition to the user's own flags.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/build/cache.hpp"
#include "tools/cli/process.hpp"

#include <string>

namespace tilesim::tools {

enum class compiler_kind : unsigned char { gcc, clang };

struct compiler {
  command_line command; ///< $CXX may be several words, such as "ccache g++"
  compiler_kind kind = compiler_kind::gcc;
  std::string identity; ///< changes when the program does
};

/// $CXX, else g++, else clang++. Throws failure when there is none.
[[nodiscard]] compiler find_compiler(const cache& results);

/// The objcopy or nm that knows what the compiler writes: the one that it names, else the machine's
/// own. Throws failure when there is none.
[[nodiscard]] std::string find_binary_tool(const compiler& host, const std::string& name);

/// Flags for every step that sees user code.
[[nodiscard]] command_line code_flags(compiler_kind kind);
/// Flags for text with a function of this length: what would cost more than that.
[[nodiscard]] command_line long_body_flags(compiler_kind kind, std::size_t length);
/// What nvcc defines and tilesim does too.
[[nodiscard]] command_line predefined_macros();

/// What a failed compiler lacked, by its own words: room on a disk, memory, files that may be open.
/// Nothing where the source is at fault.
[[nodiscard]] std::optional<std::string> what_is_missing(std::string_view output);
/// Flags under which the compiler reports raw accesses, and leaves them one by one. `own`: the
/// user's flags, which stand behind them.
[[nodiscard]] command_line hook_flags(compiler_kind kind, const command_line& own);

/// Of g++, for code of which there are to be two versions, with hook_flags and without.
[[nodiscard]] command_line two_versions_flags(compiler_kind kind);

/// The linker sends the program's calls of what allocates memory, and of what tells the time, to
/// the library, which knows a kernel's from the host's: sim/runtime/device_heap.cpp,
/// device_clock.cpp.
[[nodiscard]] command_line wrapped_calls();

} // namespace tilesim::tools
