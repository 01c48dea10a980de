// The symbols that hooked objects call instead of the sanitizer's and libc's.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/build/compiler.hpp"

#include <string>

namespace tilesim::tools {

/// One line "SYMBOL tilesim_hook_SYMBOL" per symbol of hook_symbols.def, as objcopy
/// --redefine-syms reads them, for what that compiler has made.
[[nodiscard]] std::string hook_renames(compiler_kind kind);

} // namespace tilesim::tools
