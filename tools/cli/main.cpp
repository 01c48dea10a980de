// tilesim: the command line. Finds the command, and turns what it throws into exit codes.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/printable.hpp"
#include "sim/contract/standard_error.hpp"
#include "sim/contract/standard_streams.hpp"
#include "tools/cli/arguments.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/terminal.hpp"

#include <fmt/format.h>

#include <CLI/Error.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <unistd.h>

namespace tilesim::tools {
namespace {

// clang-format off
constexpr std::array commands{
    command{"run",       "compile CUDA sources for this machine and run the program", run_command},
    command{"check",     "run under several schedules and report races and other defects",    check_command},
    command{"explore",   "every execution of a small program that the memory model allows", explore_command},
    command{"merge",     "joins what shards of 'explore' have found",                      merge_command},
    command{"step",      "step through a program, forward and back",                  step_command},
    command{"trace",     "write a run for Perfetto, chrome://tracing, or as a page",       trace_command},
    command{"dap",       "step in an editor, over the Debug Adapter Protocol",             dap_command},
    command{"gpu",       "build programs that record what a GPU does, show recordings",     gpu_command},
    command{"diff",      "compare a run on a GPU with its simulation, launch by launch",   diff_command},
    command{"build",     "compile and keep the program, or its objects",              build_command},
    command{"lint",      "ask NVIDIA's compiler about a source",                      lint_command},
    command{"ir",        "print Tile IR bytecode as text",                                 ir_command},
    command{"litmus",    "what the memory model allows: runs litmus tests",           litmus_command},
    command{"fuzz",      "write random programs that have one right result",          fuzz_command},
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
  for (const auto& c : commands) {
    text += fmt::format("  {:<10} {}\n", c.name, c.summary);
  }
  return text + "\n"
                "examples:\n"
                "  tilesim run saxpy.cu\n"
                "  tilesim build saxpy.cu -o saxpy\n"
                "  tilesim run --help\n";
}

int dispatch(const std::vector<std::string>& words) {
  if (words.empty()) {
    sim::print_error("{}", help());
    return exit_usage;
  }
  const auto& name = words.front();
  if (name == "--help" || name == "-h" || name == "help") {
    print_out(help());
    return exit_clean;
  }
  if (name == "--version") {
    print_out(fmt::format("tilesim {}\n", TILESIM_VERSION));
    return exit_clean;
  }
  const auto* found = std::ranges::find_if(commands, [&](auto& c) { return name == c.name; });
  if (found != commands.end()) {
    return found->run({words.begin() + 1, words.end()});
  }
  if (is_source_name(name)) {
    throw failure(exit_usage, fmt::format("'{0}' is no command; write 'tilesim run {0}'", name));
  }
  std::vector<std::string> names;
  names.reserve(std::size(commands));
  for (const auto& c : commands) {
    names.emplace_back(c.name);
  }
  const auto near = nearest(name, names);
  throw failure(exit_usage,
                fmt::format("unknown command '{}'; {}see 'tilesim --help'",
                            name,
                            near ? fmt::format("did you mean '{}'? ", *near) : ""));
}

/// A message as a terminal may have it: a file's name may hold any bytes.
void complain(std::string_view kind, const std::string& what) {
  sim::print_error("tilesim: {}: {}\n", kind, sim::printable_text(what));
}

int run(const std::vector<std::string>& words) {
  try {
    return dispatch(words);
  } catch (const CLI::CallForHelp&) {
    return exit_clean;
  } catch (const CLI::ParseError& e) {
    complain("error", fmt::format("{}; see 'tilesim {} --help'", e.what(), words.front()));
    return exit_usage;
  } catch (const printed_failure& e) {
    sim::write_error(for_terminal(e.what()));
    return e.code();
  } catch (const failure& e) {
    complain("error", e.what());
    return e.code();
  } catch (const std::bad_alloc&) {
    complain("error", "there is not enough memory");
    return exit_unavailable;
  } catch (const std::exception& e) {
    complain("internal error", fmt::format("{}; this is a bug of tilesim's", e.what()));
    return exit_internal;
  }
}

/// A file that is opened is never a standard stream: one that is closed is here one that cannot be
/// read or written. For programs that are started it is closed as it was, but for standard error:
/// the simulator tells there what it finds, which is to go into no file that the program opens.
void fill_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    sim::fill_if_closed(stream,
                        (stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) |
                            (stream == STDERR_FILENO ? 0 : O_CLOEXEC));
  }
}

/// The command's exit code, unless what it had to print is lost, on either stream.
int with_output_written(int code) {
  if (close_output()) {
    return sim::error_lost ? exit_unavailable : code;
  }
  constexpr const char* told = "cannot write to standard output";
  complain("error", errno == 0 ? told : fmt::format("{}: {}", told, std::strerror(errno)));
  return exit_unavailable;
}

} // namespace
} // namespace tilesim::tools

int main(int count, char** words) {
  using namespace tilesim::tools;
  fill_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN); // a limit of file sizes (ulimit -f) is an error like others
  return with_output_written(run({words + 1, words + count}));
}
