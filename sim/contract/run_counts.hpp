// What a run has done so far, where the process that started it can read it whatever ends the run.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace tilesim::sim {

struct run_counts {
  std::uint64_t operations = 0; ///< tile operations
  std::uint64_t judged = 0;     ///< elements accessed by kernels that the race detector saw
  std::uint64_t made = 0;       ///< operations and raw accesses, as of the last tile operation
  std::uint64_t steps = 0;      ///< memory operations, likewise
  std::uint64_t signal = 0;     ///< that ends the process, as far as that is noted; 0: none
};

/// The contents of a file, made if it does not exist: what is written to them outlives _exit(), a
/// signal and exec. A file that cannot be mapped is told on standard error, and the counts are this
/// process's alone.
[[nodiscard]] run_counts* shared_counts(const std::string& path);

} // namespace tilesim::sim
