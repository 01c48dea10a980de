// A command of the tool: its options, and what it does.
//
// main.cpp holds the list. A command that compiles splits the command line first (arguments.hpp),
// because compiler flags are not CLI11's to read.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tilesim::tools {

struct command {
  const char* name;
  const char* summary;                               ///< one line for `tilesim --help`
  int (*run)(const std::vector<std::string>& words); ///< the words behind the command's name
};

int run_command(const std::vector<std::string>& words);
int build_command(const std::vector<std::string>& words);
int check_command(const std::vector<std::string>& words);
int explore_command(const std::vector<std::string>& words);
int merge_command(const std::vector<std::string>& words);
int step_command(const std::vector<std::string>& words);
int trace_command(const std::vector<std::string>& words);
int dap_command(const std::vector<std::string>& words);
int diff_command(const std::vector<std::string>& words);
int gpu_command(const std::vector<std::string>& words);
int lint_command(const std::vector<std::string>& words);
int fuzz_command(const std::vector<std::string>& words);
int ir_command(const std::vector<std::string>& words);
int litmus_command(const std::vector<std::string>& words);
int toolchain_command(const std::vector<std::string>& words);
int cache_command(const std::vector<std::string>& words);

} // namespace tilesim::tools
