// Many litmus tests: which files there are, and running them in parallel.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/litmus/table.hpp"

#include <functional>
#include <string>
#include <vector>

namespace tilesim::tools {

struct suite_file {
  std::string path;
  const expected_row* row = nullptr; ///< what a table expects of it
};

/// The files that words of the command line name: themselves, or, of a folder, every *.litmus below
/// it, sorted.
/// @throws failure (usage) if there is no such file or a folder holds none
[[nodiscard]] std::vector<suite_file> files_named(const std::vector<std::string>& words);

/// Gives every file of a folder its row.
/// @throws failure (input) for a row without a file
void expect_of(std::vector<suite_file>& files,
               const std::string& folder,
               const expected_table& table);

struct suite_counts {
  std::size_t tests = 0;
  std::size_t as_expected = 0;
  std::size_t differ = 0;
  std::size_t without_expectation = 0;
  std::size_t limits = 0; ///< reached one; not among those above
  std::size_t failed = 0; ///< do not parse or cannot be read

  void add(const litmus_report& r);
  [[nodiscard]] int exit_code() const;
  /// "104 tests: 103 as expected, 1 differs"
  [[nodiscard]] std::string text() const;
};

/// Runs all on so many threads; `take` gets every report on the calling thread, in the files'
/// order. A line on standard error says how far it is, on a terminal.
void run_suite(const std::vector<suite_file>& files,
               const litmus_request& request,
               unsigned jobs,
               const std::function<void(const litmus_report&)>& take);

} // namespace tilesim::tools
