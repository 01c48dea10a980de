// tilesim: the command line. Finds the command, and turns what it throws into exit codes.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/arguments.hpp"
#include "tools/command.hpp"
#include "tools/failure.hpp"
#include "tools/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilesim::driver {
namespace {

// clang-format off
constexpr std::array commands{
    command{"run",       "compile CUDA sources for this machine and run the program", run_command},
    command{"check",     "run under several schedules and report races and other defects",    check_command},
    command{"step",      "step through a program, forward and back",                  step_command},
    command{"trace",     "write a run for Perfetto, chrome://tracing, or as a page",       trace_command},
    command{"dap",       "step in an editor, over the Debug Adapter Protocol",             dap_command},
    command{"build",     "compile and keep the program, or its objects",              build_command},
    command{"lint",      "ask NVIDIA's compiler about a source",                      lint_command},
    command{"litmus",    "what the memory model allows: runs litmus tests",           litmus_command},
    command{"toolchain", "install NVIDIA's compiler, or say where it is",             toolchain_command},
    command{"cache",     "show or clear what was compiled and kept",                  cache_command},
};
// clang-format on

std::string help() {
  std::string text = "usage: tilesim COMMAND ...\n"
                     "\n"
                     "Runs CUDA tile programs on a machine without a GPU.\n"
                     "\n"
                     "commands:\n";
  for (const auto& c : commands)
    text += fmt::format("  {:<10} {}\n", c.name, c.summary);
  return text + "\n"
                "examples:\n"
                "  tilesim run saxpy.cu\n"
                "  tilesim build saxpy.cu -o saxpy\n"
                "  tilesim run --help\n";
}

int dispatch(const std::vector<std::string>& words) {
  if (words.empty()) {
    fmt::print(stderr, "{}", help());
    return exit_usage;
  }
  const auto& name = words.front();
  if (name == "--help" || name == "-h" || name == "help") {
    fmt::print("{}", help());
    return exit_clean;
  }
  if (name == "--version") {
    fmt::print("tilesim {}\n", TILESIM_VERSION);
    return exit_clean;
  }
  const auto* found = std::ranges::find_if(commands, [&](auto& c) { return name == c.name; });
  if (found != commands.end())
    return found->run({words.begin() + 1, words.end()});
  if (is_source_name(name))
    throw failure(exit_usage, fmt::format("'{0}' is no command; write 'tilesim run {0}'", name));
  std::vector<std::string> names;
  for (const auto& c : commands)
    names.emplace_back(c.name);
  const auto near = nearest(name, names);
  throw failure(exit_usage,
                fmt::format("unknown command '{}'; {}see 'tilesim --help'",
                            name,
                            near ? fmt::format("did you mean '{}'? ", *near) : ""));
}

int run(const std::vector<std::string>& words) {
  try {
    return dispatch(words);
  } catch (const CLI::CallForHelp&) {
    return exit_clean;
  } catch (const CLI::ParseError& e) {
    fmt::print(stderr, "tilesim: error: {}; see 'tilesim {} --help'\n", e.what(), words.front());
    return exit_usage;
  } catch (const printed_failure& e) {
    fmt::print(stderr, "{}", for_terminal(e.what()));
    return e.code();
  } catch (const failure& e) {
    fmt::print(stderr, "tilesim: error: {}\n", e.what());
    return e.code();
  } catch (const std::exception& e) {
    fmt::print(stderr, "tilesim: internal error: {}; this is a bug of tilesim's\n", e.what());
    return exit_internal;
  }
}

} // namespace
} // namespace tilesim::driver

int main(int count, char** words) {
  return tilesim::driver::run({words + 1, words + count});
}
