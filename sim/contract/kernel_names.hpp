// Linkage names as C++ writes them, and kernels as programs and launches name them.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilesim::sim {

/// A linkage name as C++ writes it; itself, if it is none.
[[nodiscard]] std::string demangled(const std::string& linkage_name);

/// A kernel as the program names it: "saxpy" of "_ZN2my5saxpyIfEEvPT_". A name that is not mangled
/// is itself.
[[nodiscard]] std::string kernel_name(const std::string& symbol);

} // namespace tilesim::sim
