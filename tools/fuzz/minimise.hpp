// A program reduced to the fewest statements that still differ.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/fuzz/generate.hpp"

#include <cstddef>
#include <functional>
#include <string>

namespace tilesim::tools::fuzz {

struct minimise_request {
  std::string command;  ///< a shell's, which gets a source's path behind it; empty: this GPU
  std::size_t jobs = 0; ///< programs at a time; 0: one for each processor
  std::function<void(const program&)> taken; ///< is told of each smaller one, by this thread
};

/// Takes away what can go while the command ends with 0, or, without one, while the program, built
/// by NVIDIA's compiler, prints something else on this machine's GPU than here, or does not come to
/// an end there. Throws failure: the program does not show it from the beginning (1), no compiler
/// or no GPU (69).
[[nodiscard]] program minimise(const program& p, const wishes& w, const minimise_request& request);

} // namespace tilesim::tools::fuzz
