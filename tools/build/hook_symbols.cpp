// Turns the table of hooks into objcopy's list.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/hook_symbols.hpp"

namespace tilesim::tools {

std::string hook_renames() {
  std::string text;
#define TILESIM_HOOK(symbol) text += #symbol " tilesim_hook_" #symbol "\n";
#include "tools/build/hook_symbols.def"
#undef TILESIM_HOOK
  return text;
}

} // namespace tilesim::tools
