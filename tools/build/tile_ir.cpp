// nvcc --tilebc, a file for each source.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/tile_ir.hpp"

#include "sim/contract/standard_error.hpp"
#include "tools/build/cache.hpp"
#include "tools/build/nvcc.hpp"
#include "tools/build/toolchain.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/process.hpp"
#include "tools/cli/terminal.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace tilesim::driver {

void launch_by_tile_ir(const build_request& request, bool verbose) {
  const auto nvcc = find_nvcc();
  if (!nvcc) {
    throw failure(exit_unavailable, nvcc_missing);
  }
  const auto results = cache::open();
  std::string files;
  for (const auto& source : request.sources) {
    const std::string made = results.temporary(".tilebc"); // read by the program
    // As the headers compute: operation by operation.
    const auto command =
        nvcc_command(*nvcc, request, source, {"--tilebc", "-fmad=false", "-o", made});
    if (verbose) {
      sim::print_error("{}\n", to_string(command));
    }
    progress line("tilesim: nvcc " + source);
    const auto result = run_process(command, [&] { line.tick(); });
    line.erase();
    if (result.status != 0) {
      throw failure(exit_input,
                    fmt::format("nvcc refuses {}:\n{}", source, for_terminal(result.output)));
    }
    files += (files.empty() ? "" : ":") + made;
  }
  setenv("TILESIM_TILE_IR", files.c_str(), 1);
}

} // namespace tilesim::driver
