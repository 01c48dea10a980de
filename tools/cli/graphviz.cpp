// Drawings, by Graphviz.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/graphviz.hpp"

#include "sim/contract/exit_codes.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/process.hpp"
#include "tools/cli/terminal.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <unistd.h>

namespace tilesim::tools {

namespace {

/// A file of its own in the folder for temporary files, removed in the end.
class scratch_file {
public:
  explicit scratch_file(std::string_view text)
      : path((std::filesystem::temp_directory_path() / "tilesim-XXXXXX").string()) {
    const int file = mkstemp(path.data());
    if (file < 0) {
      throw failure(exit_unavailable, fmt::format("{}: cannot be made", path));
    }
    close(file);
    write_file(path, text);
  }
  ~scratch_file() { std::remove(path.c_str()); }
  scratch_file(const scratch_file&) = delete;
  scratch_file& operator=(const scratch_file&) = delete;

  std::string path;
};

/// A drawing that fits the window it is shown in, and is no larger than Graphviz made it.
std::string scaling(std::string svg) {
  constexpr std::string_view width = "<svg width=\"";
  const auto begin = svg.find(width);
  const auto end = svg.find("viewBox", begin);
  if (begin == std::string::npos || end == std::string::npos) {
    return svg;
  }
  const auto value = begin + width.size();
  const auto size = svg.substr(value, svg.find('"', value) - value);
  return svg.replace(
      begin,
      end - begin,
      fmt::format("<svg style=\"width: 100%; max-width: {}; height: auto\"\n ", size));
}

} // namespace

std::string svg_of(const std::string& dot) {
  const auto program = find_program("dot");
  if (!program) {
    throw failure(exit_unavailable,
                  "--svg needs Graphviz's program 'dot', which is not on the path; install the "
                  "package graphviz, or use --dot");
  }
  const scratch_file in(dot);
  const scratch_file out("");
  const auto result = run_process({*program, "-Tsvg", "-o", out.path, in.path});
  if (result.status != 0) {
    throw failure(exit_internal, fmt::format("{} fails: {}", *program, result.output));
  }
  return scaling(read_file(out.path).value_or(""));
}

void write_drawing(const std::string& file, const std::string& text) {
  if (file == "-") {
    print_out(text);
  } else {
    write_output(file, text);
  }
}

} // namespace tilesim::tools
