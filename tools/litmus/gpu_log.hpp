// The log of a program that `tilesim litmus --gpu-build` made: JSON lines, a header, a line for
// each test, a last line.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilesim::tools {

struct logged_test {
  std::uint32_t line = 0;
  std::string name;
  std::optional<std::string> mutant;
  std::uint64_t hash = 0; ///< xxh64 of its file
  std::vector<std::pair<std::string, std::uint64_t>> outcomes;
  std::uint64_t total = 0;
  std::uint64_t cut = 0;  ///< instances whose loops ran too long; not among the outcomes
  std::uint64_t lost = 0; ///< instances whose outcome found no place in the table
};

struct gpu_log {
  std::string device;
  std::uint64_t seed = 0;
  std::string knobs; ///< as JSON
  std::vector<logged_test> tests;
};

/// Reads a log; `file` names it in messages.
/// @throws printed_failure (65), with the line, for what is no such log, another version, or cut
/// short
[[nodiscard]] gpu_log read_gpu_log(const std::string& file, std::string_view text);

} // namespace tilesim::tools
