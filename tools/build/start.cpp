// What a command line's sources are started as.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/start.hpp"

#include "tools/build/compile.hpp"
#include "tools/build/install.hpp"
#include "tools/cli/failure.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <unistd.h>

namespace tilesim::tools {

std::string find_python() {
  const char* own = std::getenv("TILESIM_PYTHON");
  const std::string wanted = own != nullptr && *own != '\0' ? own : "python3";
  const auto found = find_program(wanted);
  if (!found) {
    throw failure(exit_unavailable,
                  fmt::format("there is no program '{}'; install Python 3.10 or newer, or set "
                              "TILESIM_PYTHON",
                              wanted));
  }
  return *found;
}

namespace {

program_start python_start(const arguments& given) {
  const auto& sources = given.request.sources;
  if (sources.size() != 1) {
    throw failure(exit_usage,
                  fmt::format("a program in Python is one file; what it is to get stands behind "
                              "'--': {} -- {}",
                              sources[0],
                              sources[1]));
  }
  if (access(sources[0].c_str(), R_OK) != 0) {
    throw failure(exit_usage, fmt::format("cannot read '{}'", sources[0]));
  }
  const installation where = find_installation();
  const char* const path = std::getenv("PYTHONPATH");
  setenv("PYTHONPATH",
         (where.api_folder + "/python" +
          (path != nullptr && *path != '\0' ? std::string(":") + path : ""))
             .c_str(),
         1);
  // NumPy's library of linear algebra keeps threads that might be about to write what a kernel
  // waits for: with them, a block that waits for ever is waited for.
  for (const char* const threads : {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"}) {
    setenv(threads, "1", 0);
  }
  // Pythons that the program starts find api/python/sitecustomize.py, which asks for this.
  setenv("TILESIM_PROCESSES", "1", 1);
  setenv("TILESIM_LIBRARY", (where.library_folder + "/libtilesim.so").c_str(), 1);
  // By its own name Python finds the environment that it belongs to.
  const std::string python = find_python();
  program_start s{.file = python, .words = {python, "-m", "tilesim", sources[0]}};
  s.words.insert(s.words.end(), given.program.begin(), given.program.end());
  return s;
}

} // namespace

std::string missing_package(int status, std::string_view last_line) {
  return status == exit_unavailable &&
                 last_line.find(": error: cuTile is not installed: ") != std::string_view::npos
             ? std::string(last_line) + '\n'
             : "";
}

bool is_python(const arguments& given) {
  return !given.request.sources.empty() && given.request.sources.front().ends_with(".py");
}

program_start start_of(arguments given, bool verbose) {
  if (is_python(given)) {
    return python_start(given);
  }
  for (const std::string& source : given.request.sources) {
    if (source.ends_with(".tilebc")) {
      throw failure(
          exit_usage,
          fmt::format("{}: 'tilesim ir {}' prints Tile IR; it runs as part of the program "
                      "that it was made of: name that one's source file",
                      source,
                      source));
    }
  }
  command_line words = program_words(given);
  return {.file = builder(std::move(given.request), verbose).program(), .words = std::move(words)};
}

} // namespace tilesim::tools
