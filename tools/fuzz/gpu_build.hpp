// Many random programs as one program for a GPU.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/fuzz/generate.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tilesim::tools::fuzz {

/// The flags that make results determined: without -fmad=false products and sums are contracted.
inline constexpr const char* exact_flag = "-fmad=false";

struct gpu_request {
  std::string output;
  std::string arch = "sm_90";
  std::size_t per_file = 32; ///< programs in one translation unit
  std::size_t jobs = 0;      ///< compilers at a time; 0: one for each processor
};

/// Compiles them and writes the program. Of those that do not compile the compiler's messages are
/// printed, and the program is without them; their labels are returned. Throws failure (69 no
/// compiler, 65 none compiles).
std::vector<std::string>
build_for_gpu(const std::vector<program>& programs, const wishes& w, const gpu_request& request);

} // namespace tilesim::tools::fuzz
