// tilesim lint: what NVIDIA's compiler says about a source. Nothing it makes is kept.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/standard_error.hpp"
#include "tools/build/cache.hpp"
#include "tools/build/tile_compiler.hpp"
#include "tools/build/toolchain.hpp"
#include "tools/cli/arguments.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/terminal.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>

namespace tilesim::tools {
namespace {

command_line nvcc_command(const std::string& nvcc,
                          const build_request& request,
                          const std::string& source,
                          const std::string& object) {
  command_line command{nvcc, "--enable-tile", "-c"};
  const command_line flags = nvcc_flags(request);
  command.insert(command.end(), flags.begin(), flags.end());
  command.insert(command.end(), {source_word(source), "-o", object});
  return command;
}

} // namespace

int lint_command(const std::vector<std::string>& words) {
  CLI::App app("Compiles with NVIDIA's tile compiler and shows what it says.", "lint");
  set_usage(app, "usage: tilesim lint [options] FILE.cu... [compiler flags]");
  app.footer("Exit status: 0 nothing said, 1 warnings or errors, 3 the compiler is not installed\n"
             "('tilesim toolchain install').\n"
             "\n"
             "examples:\n"
             "  tilesim lint saxpy.cu\n"
             "  tilesim lint -arch=sm_100 -I include kernels.cu\n");
  bool verbose = false;
  app.add_flag("-v,--verbose", verbose, "print the commands that are run");
  const auto request = parse_arguments(app, words).request;
  for (const auto& source : request.sources) {
    if (!std::filesystem::is_regular_file(source)) {
      throw failure(exit_usage, fmt::format("{}: no such file", source));
    }
  }
  const auto nvcc = find_nvcc();
  if (!nvcc) {
    throw failure(exit_incomplete, nvcc_missing);
  }
  const auto results = cache::open();
  bool clean = true;
  for (const auto& source : request.sources) {
    const temporary_file object(results, ".o");
    const auto command = nvcc_command(*nvcc, request, source, object.path);
    if (verbose) {
      sim::print_error("{}\n", to_string(command));
    }
    progress line("tilesim: nvcc " + source);
    const auto result = run_process(command, [&] { line.tick(); });
    line.erase();
    const auto text = for_terminal(result.output);
    print_out(text);
    clean = clean && result.status == 0 && result.output.empty();
  }
  return clean ? exit_clean : exit_findings;
}

} // namespace tilesim::tools
