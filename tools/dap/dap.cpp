// tilesim dap: the stepper for editors, over the Debug Adapter Protocol on the standard streams.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/standard_error.hpp"
#include "tools/cli/arguments.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/failure.hpp"
#include "tools/dap/adapter.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace tilesim::tools {
namespace {

void on_signal(int /*signal*/) {
  dap::adapter::leave();
}

/// Without SA_RESTART: reading the client's messages ends.
void leave_on(int signal) {
  struct sigaction caught {};
  caught.sa_handler = on_signal;
  sigaction(signal, &caught, nullptr);
}

} // namespace

int dap_command(const std::vector<std::string>& words) {
  CLI::App app("Steps through a CUDA program for an editor, which starts this command itself and "
               "speaks the Debug Adapter Protocol on its standard streams.",
               "dap");
  set_usage(app, "usage: tilesim dap");
  app.footer("How editors are told of it stands in docs/editor.md.\n"
             "\n"
             "The launch request takes:\n"
             "  program      the .cu file\n"
             "  args         what the program gets to see\n"
             "  flags        compiler flags, and more source files\n"
             "  options      options of the simulator, as of 'tilesim run --help'\n"
             "  cwd env      the folder and the environment to run in\n"
             "  input        a file as the program's standard input\n"
             "  replay       a finding's replay string, or a file with one: stand at the finding\n"
             "  stopOnEntry  stop at the first operation\n"
             "  stopAtEnd    stop at the program's end, to go back from there\n"
             "  history      megabytes of checkpoints for going back (512)\n"
             "\n"
             "examples:\n"
             "  { \"type\": \"tilesim\", \"request\": \"launch\", \"name\": \"tilesim\",\n"
             "    \"program\": \"${file}\", \"cwd\": \"${workspaceFolder}\" }\n");
  if (const auto rest = parse_words(app, words); !rest.empty()) {
    throw failure(exit_usage,
                  fmt::format("'dap' takes no '{}': the editor's launch configuration says what to "
                              "run; see docs/editor.md",
                              rest.front()));
  }
  if (isatty(STDIN_FILENO) == 1) {
    sim::print_error(
        "tilesim dap: waiting for an editor's messages on standard input; 'tilesim step' "
        "is for people\n");
  }
  // The client reads our standard output: whatever else is printed goes to standard error.
  const int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (out < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    throw failure(exit_unavailable, "standard output is closed: there is no client to speak to");
  }
  std::signal(SIGPIPE, SIG_IGN);
  leave_on(SIGTERM);
  leave_on(SIGHUP);
  leave_on(SIGINT);
  dap::adapter(STDIN_FILENO, out).serve();
  close(out);
  return exit_clean;
}

} // namespace tilesim::tools
