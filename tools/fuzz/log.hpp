// What a GPU program of many random programs prints (docs/fuzz.md).
//
//   tilesim fuzz log
//   generator 4 --operations 5      the version, and what else the programs are made by
//   compiler nvcc 13.4.92
//   flags -fmad=false ...
//   device, driver, runtime         lines of that machine
//   == 7                            the program of seed 7; 7.3 is its smaller one 3
//   7 out2 d80ac658736bb725 0 0     what it printed; "error: ..." where it failed
//   -- 7
//   end
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/fuzz/generate.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tilesim::tools::fuzz {

struct logged_program {
  std::string label;
  std::vector<std::string> lines;
  std::uint32_t at = 0; ///< the line of the log that names it
};

struct log {
  wishes by;
  std::vector<std::string> about; ///< "device NVIDIA H200 sm_90" ...
  std::vector<logged_program> programs;
  bool whole = false; ///< it has its last line
};

/// The lines of a log that the builder of the program knows.
[[nodiscard]] std::string
log_header(const wishes& w, const std::string& compiler, const std::string& flags);

/// `name` is the file's, for messages. Throws failure (65): it is no log, or one of another version
/// of the generator.
[[nodiscard]] log parse_log(const std::string& name, const std::string& text);

} // namespace tilesim::tools::fuzz
