// Turns the table of hooks into objcopy's list.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/hook_symbols.hpp"

#include <string_view>

namespace tilesim::tools {

namespace {

/// A symbol's line. clang++ calls those for aligned accesses of 16 bytes where 8 are known of the
/// alignment, too: the library's function for these is another one.  [LLVM: ThreadSanitizer.cpp,
/// instrumentLoadOrStore]
std::string rename(const std::string& symbol, compiler_kind kind) {
  constexpr std::string_view accesses = "__tsan_";
  constexpr std::string_view half = "halfaligned_";
  if (symbol.find(half) != std::string::npos) {
    return {}; // no compiler's
  }
  std::string hook = symbol;
  if (kind == compiler_kind::clang && symbol.starts_with(accesses) &&
      (symbol.ends_with("read16") || symbol.ends_with("write16")) &&
      symbol.find("unaligned") == std::string::npos) {
    hook.insert(accesses.size(), half);
  }
  return symbol + " tilesim_hook_" + hook + "\n";
}

} // namespace

std::string hook_renames(compiler_kind kind) {
  std::string text;
#define TILESIM_HOOK(symbol) text += rename(#symbol, kind);
#include "tools/build/hook_symbols.def"
#undef TILESIM_HOOK
  return text;
}

} // namespace tilesim::tools
