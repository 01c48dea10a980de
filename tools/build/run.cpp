// tilesim run: compiles what has changed and becomes the program.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/option_table.hpp"
#include "tools/build/kernel_options.hpp"
#include "tools/build/start.hpp"
#include "tools/cli/arguments.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/replay.hpp"
#include "tools/cli/run_options.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace tilesim::tools {

using namespace sim::option_literals;

int run_command(const std::vector<std::string>& words) {
  CLI::App app("Compiles CUDA sources for this machine and runs the program, or runs a cuTile "
               "program in Python.",
               "run");
  set_usage(app,
            "usage: tilesim run [options] FILE.cu... [compiler flags] [-- program arguments]\n"
            "       tilesim run [options] FILE.py [-- program arguments]");
  app.footer(
      "Compiler flags are g++'s and nvcc's: -I -D -O -g -std -W -f -m -l -L; nvcc's own are\n"
      "accepted. The exit status is the program's; 64 to 70 and 101, 102 are tilesim's.\n"
      "\n"
      "examples:\n"
      "  tilesim run saxpy.cu\n"
      "  tilesim run saxpy.cu -O2 -DN=1024 -- --verbose 3\n"
      "  tilesim run --schedule random --seed 42 histogram.cu\n"
      "  tilesim run --replay 2-3@5,0-0f1e2d3c4b5a6978 histogram.cu\n"
      "  tilesim run main.cu kernels.cu -I include\n"
      "  tilesim run --via tileir saxpy.cu    # what NVIDIA's compiler makes of the kernels\n"
      "  tilesim run --contract compiler saxpy.cu\n"
      "  tilesim run vector_add.py\n");
  run_options options(app);
  bool hooks = false;
  bool verbose = false;
  std::string replay;
  app.add_option(
      "--replay", replay, "the schedule of a report's replay string, or of a saved file");
  const kernel_options kernels(app);
  app.add_flag("--hooks", hooks, "compile so that raw accesses (p[i], *flag) are watched, too");
  app.add_flag("-v,--verbose", verbose, "print the commands that are run");
  auto arguments = parse_arguments(app, words);
  refuse_output(arguments, "run");
  auto simulator = options.values();
  // A raw access is dropped before it is made, or not at all.
  arguments.request.hooks = hooks || simulator.value("keep_going"_option, false);
  kernels.follow(arguments, verbose, simulator);
  if (app.count("--replay") != 0) {
    use_replay(replay, arguments, simulator);
  }
  const program_start start = start_of(std::move(arguments), verbose);
  run_options::export_to_environment(simulator);
  become(start.file, start.words);
}

} // namespace tilesim::tools
