// What the program's debug information says before it runs: which lines may perform an operation,
// which functions are kernels.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace tilesim::sim::step {

struct user_function {
  std::string name; ///< without namespaces and template arguments
  bool is_kernel = false;
};

struct user_code {
  /// The functions of the program's own files, each name once.
  std::vector<user_function> functions;
  /// By the file's path as the compiler knows it: the lines that call something other than a
  /// function of the user's. Every operation is such a call, not every such call is an operation.
  /// Lines of main, where no operation is performed, are left out.
  std::map<std::string, std::set<unsigned>> lines;
  /// All the program's own files that have code, that of the host too, likewise.
  std::set<std::string> files;
};

/// Of the program, without its libraries; read once.
[[nodiscard]] const user_code& code_of_program();

} // namespace tilesim::sim::step
