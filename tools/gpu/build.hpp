// Building a program that records what a GPU does.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tilesim::tools::gpu_tool {

struct build_options {
  std::string output;
  std::string arch; ///< "sm_90"; empty: as the flags say, else sm_90
  bool verbose = false;
  unsigned runs = 1; ///< when the program is started
  bool full = false; ///< of several runs, all contents
  std::vector<std::string> sources;
  std::vector<std::string> flags; ///< nvcc's, as they are
};

/// Throws failure: 64 no such source, 65 it does not compile, 69 no compiler.
void build_recording_program(const build_options& o);

} // namespace tilesim::tools::gpu_tool
