// Whether two runs of a program gave the same results, as far as the outside can see them.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/check/run.hpp"

#include <tilesim/report.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tilesim::tools {

/// Where two runs part first.
struct difference {
  std::string what; ///< "cudaMemcpy copies other bytes to the host", "the program prints …"
  std::vector<source_frame> where; ///< of the copy; empty: no place
};

/// Compares copies from the device to the host in their order, then what is printed on both
/// streams as a multiset of lines, then the exit status. Nothing if all are the same, or if one of
/// the runs did not end by itself.
[[nodiscard]] std::optional<difference> compare(const program_run& first, const program_run& other);

} // namespace tilesim::tools
