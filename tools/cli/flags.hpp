// The user's compiler flags, g++'s and nvcc's, sorted by the step that they are for.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/process.hpp"

#include <string>
#include <vector>

namespace tilesim::tools {

/// What the preprocessor is given where the device's code of all sources is linked.
inline constexpr auto relocatable_macro = "-D__CUDACC_RDC__=1";

/// What is to be compiled, and how.
struct build_request {
  std::vector<std::string> sources; ///< .cu and C++ files
  command_line preprocess;          ///< only for the preprocessor: -I -D -include ...
  command_line compile;             ///< for preprocessor and compiler: -f -m -O -W -std ...
  command_line link;                ///< -l -L -Wl, and object files, in their order
  std::vector<std::string> notes;   ///< about flags without effect here, each said once
  std::string output;               ///< -o
  std::string arch_list = "900";    ///< what nvcc puts into __CUDA_ARCH_LIST__
  bool objects_only = false;        ///< -c
  bool hooks = false;               ///< report raw accesses to the simulator
  bool has_optimisation = false;
  bool has_standard = false;
  bool pedantic = false;
};

/// Takes the compiler flag at `at`, and its value if that is a word of its own; moves `at` behind
/// them. False if it is none that is known.
bool take_compiler_flag(const std::vector<std::string>& words,
                        std::size_t& at,
                        build_request& request);

/// Throws failure (usage) if the word behind an option, which is to be its value, is an option
/// itself: the value has been forgotten. "-" and numbers are none.
void refuse_option_as_value(const std::string& option, const std::string& word);
/// Throws failure (usage) if it is empty: a file's name is never meant so.
void refuse_empty_value(const std::string& option, const std::string& value);

[[nodiscard]] bool is_source_name(const std::string& name);
[[nodiscard]] bool is_linker_input(const std::string& name);

} // namespace tilesim::tools
