// Which kernels have __shared__ variables, as far as the program's own symbols tell.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilesim::sim {

/// The names of a kernel's __shared__ variables: thread_local ones to the host compiler, which
/// keeps a symbol for each that the code uses. `kernel` is the function's name, with or without
/// namespaces and template arguments. Empty for a program without symbols.
[[nodiscard]] std::vector<std::string> shared_variables_of(std::string_view kernel);

/// What a demangled symbol of a function's own variable says: "void ns::k<int>(int*)::cells" is
/// {"k", "cells"}. Both are empty for any other symbol.
struct local_variable {
  std::string function;
  std::string name;
};
[[nodiscard]] local_variable local_variable_of(std::string_view demangled);

} // namespace tilesim::sim
