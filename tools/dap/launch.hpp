// The arguments of a "launch" request: what to compile, and how to run it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/step/program.hpp"

#include <nlohmann/json.hpp>
#include <string>

namespace tilesim::tools::dap {

struct launch_request {
  step::program_request program;
  bool stop_on_entry = false;
  bool stop_at_end = false;
  bool replays = false;  ///< begins at a finding
  bool no_debug = false; ///< breakpoints and findings do not stop
};

/// Reads the arguments, and makes "cwd" the current folder. Throws failure with a sentence that
/// names the argument that is wrong.
[[nodiscard]] launch_request read_launch(const nlohmann::json& arguments);

/// While one lives, what is written to standard error is kept: a compiler's messages.
class errors_kept {
public:
  errors_kept();
  ~errors_kept();
  errors_kept(const errors_kept&) = delete;
  errors_kept& operator=(const errors_kept&) = delete;
  [[nodiscard]] std::string text() const;

private:
  int file_ = -1;
  int before_ = -1;
};

} // namespace tilesim::tools::dap
