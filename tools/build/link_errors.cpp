// Where main or tilesim's library for tests is missing.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/link_errors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace tilesim::tools {

namespace {

bool misses(const std::string& output, const std::string& name) {
  return output.find("undefined reference to `" + name) != std::string::npos ||
         output.find("undefined symbol: " + name) != std::string::npos;
}

/// What of namespace tilesim a linker misses that is none of libtilesim's: tests are written with
/// it, whose functions lie in a library of their own.
bool misses_test_library(const std::string& output) {
  return std::ranges::any_of(
      std::array{"check(", "check_result::", "explore_result::", "detail::explore_bytes("},
      [&](const char* name) { return misses(output, std::string("tilesim::") + name); });
}

} // namespace

std::string with_missing_explained(const std::string& output,
                                   const std::vector<std::string>& sources) {
  const std::string& first = sources.front();
  if (misses_test_library(output)) {
    return fmt::format(
        "{}: error: tilesim::check and tilesim::explore lie in a library of their own; add "
        "-ltilesim_check (and the test framework's library, as -lCatch2WithMain), and --hooks, "
        "so that raw accesses are seen: 'tilesim build --hooks {} -ltilesim_check -o {}'; "
        "in CMake link tilesim::check to a tilesim_add_executable(… HOOKS …)\n",
        first,
        fmt::join(sources, " "),
        std::filesystem::path(first).stem().string());
  }
  if (misses(output, "main'") || output.find("undefined symbol: main") != std::string::npos) {
    return fmt::format("{}: error: {} no main function; add one, or make an object "
                       "with 'tilesim build -c {}'\n",
                       first,
                       sources.size() == 1 ? "the file has" : "the files have",
                       fmt::join(sources, " "));
  }
  return output;
}

} // namespace tilesim::tools
