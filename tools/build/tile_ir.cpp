// Tile IR of a program's sources.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/tile_ir.hpp"

#include "sim/contract/exit_codes.hpp"
#include "sim/contract/option_table.hpp"
#include "sim/contract/standard_error.hpp"
#include "tools/build/cache.hpp"
#include "tools/build/dependencies.hpp"
#include "tools/build/tile_compiler.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/terminal.hpp"

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace tilesim::tools {

using namespace sim::option_literals;

void add_via(CLI::App& app, std::string& via) {
  app.add_option("--via",
                 via,
                 "how tile kernels come to run: by the headers (default), or by tileir: NVIDIA's "
                 "compiler ('tilesim toolchain install') makes Tile IR of them, which is run")
      ->type_name("WHICH")
      ->check(CLI::IsMember({"headers", "tileir"}));
}

namespace {

bool is_cuda(const std::string& source) {
  return std::filesystem::path(source).extension() == ".cu";
}

std::string compiled(const std::string& compiler,
                     const build_request& request,
                     const std::string& source,
                     cache& results,
                     bool verbose) {
  const auto started = std::chrono::system_clock::now();
  // As the headers do it, operation by operation: NVIDIA's compiler fuses products and sums
  // otherwise.
  command_line flags{"-fmad=false"};
  const command_line given = nvcc_flags(request);
  flags.insert(flags.end(), given.begin(), given.end());
  command_line command = tile_ir_command(compiler, flags, source);
  const std::string key = hash_bytes("tile ir " + std::filesystem::current_path().string() + " " +
                                     tools::to_string(command));
  if (const auto found = results.find(key)) {
    return found->file;
  }
  cached_result made;
  made.file = results.temporary(".tilebc");
  const temporary_file read(results, ".d");
  command.insert(command.end(), {"-MD", "-MF", read.path, "-o", made.file});
  if (verbose) {
    sim::print_error("{}\n", tools::to_string(command));
  }
  sim::print_error("{}", for_terminal(run_nvcc(command, source)));
  made.inputs = parse_dependencies(read_file(read.path).value_or(""));
  made.inputs.push_back(compiler);
  return results.store(key, made, ".tilebc", started);
}

} // namespace

void follow_via(const std::string& via,
                const build_request& request,
                bool verbose,
                nlohmann::json& simulator) {
  if (via != "tileir") {
    return;
  }
  const nvcc compiler = find_tile_compiler();
  auto results = cache::open();
  std::string files;
  for (const std::string& source : request.sources) {
    if (is_cuda(source)) {
      files +=
          (files.empty() ? "" : "\n") + compiled(compiler.path, request, source, results, verbose);
    }
  }
  simulator["modules"_option] = files;
}

} // namespace tilesim::tools
