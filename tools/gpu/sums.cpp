// tilesim gpu sums: which sums NVIDIA's compiler fuses with a product, as a table.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/exit_codes.hpp"
#include "tools/build/compiled_sums.hpp"
#include "tools/build/tile_compiler.hpp"
#include "tools/cli/arguments.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/terminal.hpp"
#include "tools/gpu/actions.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

namespace tilesim::tools::gpu_tool {

int sums(const std::vector<std::string>& words) {
  CLI::App app("Which sums NVIDIA's compiler fuses with a product.", "gpu sums");
  set_usage(app, "usage: tilesim gpu sums FILE.cu... [compiler flags]");
  app.footer(
      "The table that 'tilesim gpu build' puts into recordings. No GPU is needed.\n"
      "Exit status: 0; 64 the command line; 65 a source does not compile; 69 no compiler.\n"
      "\n"
      "examples:\n"
      "  tilesim gpu sums saxpy.cu > saxpy.sums\n"
      "  tilesim run --contract saxpy.sums saxpy.cu     # where there is no such compiler\n");
  const build_request request = parse_arguments(app, words).request;
  for (const std::string& source : request.sources) {
    if (!read_file(source)) {
      throw failure(exit_usage, fmt::format("{}: no such file", source));
    }
  }
  const nvcc compiler = find_tile_compiler();
  print_out(sim::to_text(compiled_sums(compiler.path, request.sources, nvcc_flags(request)).sums));
  return exit_clean;
}

} // namespace tilesim::tools::gpu_tool
