// tilesim step: a program operation by operation, forward and back.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/option_table.hpp"
#include "sim/contract/standard_error.hpp"
#include "tools/build/kernel_options.hpp"
#include "tools/cli/arguments.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/number_checks.hpp"
#include "tools/cli/process.hpp"
#include "tools/cli/run_options.hpp"
#include "tools/cli/terminal.hpp"
#include "tools/step/line_reader.hpp"
#include "tools/step/program.hpp"
#include "tools/step/prompt.hpp"
#include "tools/trace/events.hpp"
#include "tools/trace/page.hpp"
#include "tools/trace/run.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <sys/ioctl.h>
#include <unistd.h>

namespace tilesim::tools {

using namespace sim::option_literals;

namespace {

struct step_options {
  std::vector<std::string> scripts;
  std::vector<std::string> commands;
  std::string replay;
  std::string finding;
  std::string model;
  std::string input = "/dev/null";
  std::string program;
  std::string trace;
  std::size_t check = 1;
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
  app.add_option(
      "--finding", o.finding, "stand at this finding, which a report names, not at the first one");
  app.add_option(
         "--model",
         o.model,
         "sc (default): reads take the newest write; ptx: strong reads take older ones that "
         "'choose' names, where the memory model allows. A replay string brings its own")
      ->check(CLI::IsMember({"ptx", "sc"}));
  app.add_option("--program",
                 o.program,
                 "a program that was built with tilesim::check, instead of sources: what a test's "
                 "report prints");
  app.add_option("--check", o.check, "which of its calls of tilesim::check to stand in (1)")
      ->check(whole_number(1));
  app.add_option("--trace",
                 o.trace,
                 "write the run, up to where the session leaves it: FILE.html as a page, any other "
                 "as of 'tilesim trace -o'");
  app.add_option("--input", o.input, "a file as the program's standard input (none)");
  app.add_option("--history", o.history, "megabytes of checkpoints for going back (512)")
      ->check(whole_number(1));
  app.add_flag("-v,--verbose", o.verbose, "print the commands that are run");
  app.footer(
      "The program is compiled with -O0 unless you give -O, so that its variables can be shown.\n"
      "'help' at the prompt lists the commands; they are gdb's and rr's. Exit status: 0, 65 to 70\n"
      "as of 'run'; of a script (--batch, or commands that no terminal gives) 64 for a wrong\n"
      "command, and 3 where the wanted finding does not come up.\n"
      "\n"
      "examples:\n"
      "  tilesim step histogram.cu\n"
      "  tilesim step histogram.cu -I include -- input.txt\n"
      "  tilesim step --ex 'break op=atomic_add' --ex run --ex 'print bins[0:8]' histogram.cu\n"
      "  tilesim step --batch -x commands.txt histogram.cu\n"
      "  tilesim step --model ptx --ex 'break choice' --ex run histogram.cu\n"
      "  tilesim step --trace t.html --ex 'break 23' --ex run histogram.cu\n"
      "  tilesim step --replay 2-3@5,0-0f1e2d3c4b5a6978 histogram.cu\n"
      "  tilesim step --replay 2-3@5,0-0f1e2d3c4b5a6978 --finding data-race@histogram.cu:23 "
      "histogram.cu\n");
}

step::style terminal_style() {
  step::style s;
  s.colour = isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20) {
    s.width = size.ws_col;
  }
  return s;
}

int converse(step::prompt& prompt, bool quiet_start) {
  step::line_reader reader([&](std::string_view line) { return prompt.completions(line); },
                           &step::session::forget_interrupts);
  if (!quiet_start && reader.interactive()) {
    prompt.show_stop();
  }
  if (reader.interactive()) {
    step::session::catch_interrupts(); // the prompt has its own way with them
  }
  std::string last;
  for (;;) {
    auto line = reader.read("(tilesim) ");
    if (!line) {
      if (reader.interactive()) {
        print_out("quit\n");
      }
      return exit_clean;
    }
    if (line->find_first_not_of(" \t") == std::string::npos && reader.interactive()) {
      if (!step::prompt::repeats(last)) {
        continue;
      }
      // Enter repeats; list and x go on where they stopped.
      line = last.starts_with('l') ? "list" : last;
    } else {
      last = *line;
    }
    try {
      if (!prompt.execute(*line)) {
        return exit_clean;
      }
    } catch (const step::command_error& e) {
      std::fflush(stdout);
      sim::print_error("error: {}\n", e.what());
      if (!reader.interactive()) {
        return exit_usage;
      }
    }
    std::fflush(stdout);
  }
}

/// Words with a program that is built already, instead of sources.
arguments of_program(CLI::App& app, const std::vector<std::string>& words) {
  const auto end = std::ranges::find(words, "--");
  arguments a;
  const auto others = parse_words(app, {words.begin(), end});
  if (!others.empty()) {
    throw failure(exit_usage,
                  fmt::format("'{}': --program takes neither sources nor compiler flags; what the "
                              "program is to get stands behind --",
                              shortened(others.front())));
  }
  if (end != words.end()) {
    a.program.assign(end + 1, words.end());
  }
  return a;
}

/// The run as a file that a person can look at, written when the session ends.
class session_trace {
public:
  /// Throws failure where `output` cannot be written; empty: nobody asked.
  session_trace(std::string output, const arguments& of)
      : output_(std::move(output)) {
    if (output_.empty()) {
      return;
    }
    check_outputs({output_}, of.request.sources);
    lines_.emplace("step");
    command_ = to_string(program_words(of));
  }
  ~session_trace() {
    if (program_ != nullptr) {
      write();
    }
  }
  session_trace(const session_trace&) = delete;
  session_trace& operator=(const session_trace&) = delete;

  /// What the program writes; empty: nothing.
  [[nodiscard]] std::string lines() const {
    return lines_ ? lines_->path() + "/trace" : std::string{};
  }
  /// From now on there is something to write.
  void begins(step::program& p) { program_ = &p; }

  /// Once. False where it cannot be written, which is told.
  bool write() noexcept {
    if (output_.empty()) {
      return true;
    }
    bool written = false;
    try {
      const auto text = read_file(lines());
      if (!text) {
        throw failure(exit_unavailable, fmt::format("{}: the run that it had is gone", lines()));
      }
      auto run = read_traced_run(*text, nullptr);
      if (run.end.empty() && program_ != nullptr && program_->session().alive()) {
        run.end = "left"; // by the session, before its end
      }
      const bool page = output_.ends_with(".html");
      write_output(output_,
                   page ? to_trace_page(run, command_, false) : to_trace_events(run, command_));
      written = true;
    } catch (const std::exception& e) {
      sim::print_error("tilesim: error: {}\n", e.what());
    }
    output_.clear();
    lines_.reset();
    return written;
  }

private:
  std::string output_;
  std::optional<temporary_folder> lines_;
  std::string command_;
  step::program* program_ = nullptr;
};

/// The time that a script may take, all its commands together.
class time_limit {
public:
  /// Takes it from the options: the simulator would count a person's time at the prompt, too.
  time_limit(nlohmann::json& simulator, bool batch) {
    if (!batch || !simulator.contains("timeout"_option)) {
      return;
    }
    seconds_ = simulator.at("timeout"_option).get<double>();
    simulator.erase("timeout"_option);
    over_at_ = std::chrono::steady_clock::now() +
               std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                   std::chrono::duration<double>(seconds_));
  }

  [[nodiscard]] bool is_over() const {
    return over_at_ && std::chrono::steady_clock::now() > *over_at_;
  }
  [[nodiscard]] double seconds() const { return seconds_; }

private:
  double seconds_ = 0;
  std::optional<std::chrono::steady_clock::time_point> over_at_;
};

/// While the program runs: the end of the time.
void end_if_over(const time_limit& limit, session_trace& trace) {
  if (!limit.is_over()) {
    return;
  }
  std::fflush(stdout);
  sim::print_error("error: --timeout of {} seconds reached\n", limit.seconds());
  trace.write();
  std::fflush(nullptr);
  _exit(exit_incomplete); // the program dies with the stepper
}

/// Is there nobody who could mend what a script says?
bool is_script(const step_options& o) {
  return o.batch || isatty(STDIN_FILENO) == 0;
}

/// Carries out what the command line says. False if one of the commands ends the session.
bool carry_out(const step_options& options, step::program& program, bool& stands) {
  step::prompt& prompt = program.prompt();
  if (!options.replay.empty() || !options.finding.empty()) {
    program.stand_at_replayed();
    stands = true;
  }
  for (const auto& script : options.scripts) {
    if (!prompt.execute_file(script)) {
      return false;
    }
    stands = true;
  }
  for (const auto& command : options.commands) {
    if (!prompt.execute(command)) {
      return false;
    }
    stands = true;
  }
  return true;
}

} // namespace

int step_command(const std::vector<std::string>& words) {
  CLI::App app(
      "Steps through a CUDA program, forward and back: operations, operands, memory, blocks.",
      "step");
  set_usage(app,
            "usage: tilesim step [options] FILE.cu... [compiler flags] [-- program arguments]\n"
            "       tilesim step [options] FILE.py [-- program arguments]");
  step_options options;
  add_options(app, options);
  const run_options given(app, run_options::command::run);
  const kernel_options kernels(app);
  const bool of_test = std::ranges::any_of(
      words, [](const auto& w) { return w == "--program" || w.starts_with("--program="); });
  auto arguments = of_test ? of_program(app, words) : parse_arguments(app, words);
  refuse_output(arguments, "step");
  auto simulator = given.values();
  kernels.follow(arguments, options.verbose, simulator);
  const time_limit limit(simulator, options.batch);
  session_trace trace(options.trace, arguments);
  step::program program({.arguments = std::move(arguments),
                         .test_program = options.program,
                         .check = options.check,
                         .simulator = std::move(simulator),
                         .replay = options.replay,
                         .finding = options.finding,
                         .model = options.model,
                         .input = options.input,
                         .trace = trace.lines(),
                         .history_megabytes = options.history,
                         .verbose = options.verbose,
                         .looks = terminal_style(),
                         .while_running = [&] { end_if_over(limit, trace); }});
  trace.begins(program);
  const auto ends = [&](int status) {
    const bool misses = status == exit_clean && is_script(options) && program.misses_finding();
    return !trace.write() ? exit_unavailable : misses ? exit_incomplete : status;
  };
  bool stands = false;
  try {
    if (!carry_out(options, program, stands)) {
      return ends(exit_clean);
    }
  } catch (const step::command_error& e) {
    std::fflush(stdout);
    sim::print_error("error: {}\n", e.what());
    if (is_script(options)) {
      return ends(exit_usage);
    }
  }
  std::fflush(stdout);
  if (options.batch) {
    return ends(exit_clean);
  }
  return ends(converse(program.prompt(), stands));
}

} // namespace tilesim::tools
