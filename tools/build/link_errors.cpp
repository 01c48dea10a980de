// Where main or tilesim's library for tests is missing, or something is there twice.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/link_errors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

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

/// "b.cu:2" of ld's "b.cu:/folder/b.cu:2" and, without debug information, "b.cu" of
/// "b.cu:(.bss+0x0)".
std::string place_of(std::string_view told) {
  const auto colon = told.find(':');
  const std::string_view source = told.substr(0, colon);
  const std::string_view rest = colon == std::string_view::npos ? "" : told.substr(colon + 1);
  const auto line = rest.rfind(':');
  if (rest.empty() || rest.front() == '(' || line == std::string_view::npos) {
    return std::string(source);
  }
  return std::string(rest.substr(0, line).ends_with(source) ? source : rest.substr(0, line)) +
         std::string(rest.substr(line));
}

} // namespace

std::string with_sharing_explained(const std::string& output,
                                   const std::vector<std::string>& symbols) {
  std::string told;
  for (const std::string& symbol : symbols) {
    const std::string twice = ": multiple definition of `" + symbol + "'; ";
    constexpr std::string_view first = ": first defined here";
    const auto at = output.find(twice);
    const auto end = output.find(first, at);
    const auto begin = output.rfind(": ", at == 0 || at == std::string::npos ? 0 : at - 1);
    if (at == std::string::npos || end == std::string::npos || begin == std::string::npos) {
      return output;
    }
    const auto other = at + twice.size();
    told += fmt::format(
        "{}: error: '{}' is defined here and at {}, and with -rdc=true all sources share what is "
        "the device's; declare it extern in all but one of them, or make each static\n",
        place_of(std::string_view(output).substr(begin + 2, at - begin - 2)),
        symbol,
        place_of(std::string_view(output).substr(other, end - other)));
  }
  return told.empty() ? output : told;
}

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
