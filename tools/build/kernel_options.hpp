// `--via` and `--contract`: by whom a program's tile kernels are compiled, and which of their sums
// are fused. Every command that runs a program takes both.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/arguments.hpp"
#include "tools/cli/cli11_fwd.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tilesim::tools {

class kernel_options {
public:
  /// Declares them.
  explicit kernel_options(CLI::App& app);
  kernel_options(const kernel_options&) = delete; // the command line writes to its members
  kernel_options& operator=(const kernel_options&) = delete;
  ~kernel_options() = default;

  /// Has the simulator do as they say: asks NVIDIA's compiler, where that is to be asked, and keeps
  /// the answer. Throws failure: 64 for a program in Python, else as follow_via() and
  /// follow_contract().
  void follow(const arguments& given, bool verbose, nlohmann::json& simulator) const;

private:
  std::string via_;
  std::string contract_;
};

} // namespace tilesim::tools
