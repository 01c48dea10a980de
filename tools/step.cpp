// tilesim step: a program operation by operation, forward and back.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/arguments.hpp"
#include "tools/check_schedule.hpp"
#include "tools/command.hpp"
#include "tools/compile.hpp"
#include "tools/exit_codes.hpp"
#include "tools/failure.hpp"
#include "tools/replay.hpp"
#include "tools/run_options.hpp"
#include "tools/step/commands.hpp"
#include "tools/step/line_reader.hpp"
#include "tools/step/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sys/ioctl.h>
#include <unistd.h>

namespace tilesim::driver {
namespace {

struct step_options {
  std::vector<std::string> scripts;
  std::vector<std::string> commands;
  std::string replay;
  std::string input = "/dev/null";
  std::size_t history = 512;
  bool batch = false;
  bool verbose = false;
};

void add_options(CLI::App& app, step_options& o) {
  app.add_option("-x", o.scripts, "carry out the commands in a file first; may be repeated");
  app.add_option("--ex", o.commands, "carry out one command, behind those of files")
      ->allow_extra_args(false);
  app.add_flag("--batch", o.batch, "leave when the commands are carried out");
  app.add_option("--replay",
                 o.replay,
                 "a finding's replay string, or a file that 'save' wrote: stand at the finding");
  app.add_option("--input", o.input, "a file as the program's standard input (none)");
  app.add_option("--history", o.history, "megabytes of checkpoints for going back (512)")
      ->check(CLI::PositiveNumber);
  app.add_flag("-v,--verbose", o.verbose, "print the commands that are run");
  app.footer(
      "The program is compiled with -O0 unless you give -O, so that its variables can be shown.\n"
      "'help' at the prompt lists the commands; they are gdb's and rr's. Exit status: 0, 64 for a\n"
      "wrong command in a script, 65 to 70 as of 'run'.\n"
      "\n"
      "examples:\n"
      "  tilesim step histogram.cu\n"
      "  tilesim step histogram.cu -I include -- input.txt\n"
      "  tilesim step --ex 'break op=atomic_add' --ex run --ex 'print bins[0:8]' histogram.cu\n"
      "  tilesim step --batch -x commands.txt histogram.cu\n"
      "  tilesim step --replay 2-3@5,0-0f1e2d3c4b5a6978 histogram.cu\n");
}

step::style terminal_style() {
  step::style s;
  s.colour = isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20)
    s.width = size.ws_col;
  return s;
}

/// Does the schedule count raw accesses? How many there are depends on how the program is compiled.
bool counts_raw_accesses(const sim::schedule& s) {
  return std::ranges::any_of(
      s.turns, [](const sim::turn& t) { return t.until.has_value() && t.until->raw.has_value(); });
}

/// Runs to the finding that the schedule leads to, and one operation back: there it stands.
void stand_at_finding(step::session& session, step::prompt& prompt) {
  session.go({{"how", "run"}});
  prompt.show_stop();
  if (session.here().value("reason", "") == "finding" ||
      session.here().value("reason", "") == "stopped") {
    prompt.execute("reverse-step");
  }
}

int converse(step::prompt& prompt, step::session& session, bool quiet_start) {
  step::line_reader reader([&](std::string_view line) { return prompt.completions(line); });
  if (!quiet_start && reader.interactive())
    prompt.show_stop();
  if (reader.interactive())
    std::signal(SIGINT, SIG_IGN); // at the prompt; while the program runs it stops the program
  std::string last;
  for (;;) {
    auto line = reader.read("(tilesim) ");
    if (!line) {
      if (reader.interactive())
        fmt::print("quit\n");
      return exit_clean;
    }
    if (line->find_first_not_of(" \t") == std::string::npos && reader.interactive()) {
      if (!step::prompt::repeats(last))
        continue;
      // Enter repeats; list and x go on where they stopped.
      line = last.rfind("l", 0) == 0 ? "list" : last;
    } else {
      last = *line;
    }
    try {
      if (!prompt.execute(*line))
        return exit_clean;
    } catch (const step::command_error& e) {
      std::fflush(stdout);
      fmt::print(stderr, "error: {}\n", e.what());
      if (!reader.interactive())
        return exit_usage;
    }
    std::fflush(stdout);
  }
  static_cast<void>(session);
}

} // namespace

int step_command(const std::vector<std::string>& words) {
  CLI::App app(
      "Steps through a CUDA program, forward and back: operations, operands, memory, blocks.",
      "step");
  set_usage(app,
            "usage: tilesim step [options] FILE.cu... [compiler flags] [-- program arguments]");
  step_options options;
  add_options(app, options);
  const run_options simulator(app, run_options::command::run);
  auto arguments = parse_arguments(app, words);
  if (arguments.request.objects_only || !arguments.request.output.empty())
    throw failure(exit_usage,
                  "'step' keeps nothing, so it takes neither -c nor -o; use 'tilesim "
                  "build'");
  step::session_options what;
  const nlohmann::json chosen = simulator.values();
  what.simulator = chosen;
  const std::string hash = program_hash(arguments, chosen);
  bool raw = false;
  const auto use_replay = [&](const std::string& text, nlohmann::json& simulator_options) {
    const sim::schedule s = read_replay(text, hash);
    raw = counts_raw_accesses(s);
    set_options(s, simulator_options);
  };
  if (!options.replay.empty())
    use_replay(options.replay, what.simulator);
  for (const char* always : {"races", "quiet", "repeatable"})
    what.simulator[always] = true;
  const std::string source = arguments.request.sources.front();
  what.words = {std::filesystem::path(source).stem().string()};
  what.words.insert(what.words.end(), arguments.program.begin(), arguments.program.end());
  arguments.request.hooks = true;
  // A replay that counts raw accesses wants the program as `tilesim check` compiles it.
  if (!arguments.request.has_optimisation && !raw) {
    arguments.request.compile.emplace_back("-O0");
    arguments.request.has_optimisation = true;
  }
  what.program = builder(std::move(arguments.request), options.verbose).program();
  what.input = options.input;
  what.history_bytes = options.history << 20U;
  const nlohmann::json simulator_options = what.simulator;
  step::session session(std::move(what));
  if (session.over())
    throw failure(exit_internal, "the program has ended before it could be stopped");
  step::prompt prompt(session, terminal_style(), source);
  prompt.replay = [&](const std::string& text) {
    nlohmann::json changed = simulator_options;
    use_replay(text, changed);
    session.restart_with(std::move(changed));
    session.go({{"how", "run"}});
  };
  prompt.replay_string = [&](const std::string& turns) {
    auto s = sim::parse_schedule(turns);
    if (!s)
      throw step::command_error("nothing has run yet: there is no schedule to save");
    s->seed = simulator_options.value("seed", std::uint64_t{0});
    return sim::to_string(sim::replay{*s, hash});
  };
  bool stands = false;
  try {
    if (!options.replay.empty()) {
      stand_at_finding(session, prompt);
      stands = true;
    }
    for (const auto& script : options.scripts) {
      if (!prompt.execute_file(script))
        return exit_clean;
      stands = true;
    }
    for (const auto& command : options.commands) {
      if (!prompt.execute(command))
        return exit_clean;
      stands = true;
    }
  } catch (const step::command_error& e) {
    std::fflush(stdout);
    fmt::print(stderr, "error: {}\n", e.what());
    if (options.batch)
      return exit_usage;
  }
  std::fflush(stdout);
  if (options.batch)
    return exit_clean;
  return converse(prompt, session, stands);
}

} // namespace tilesim::driver
