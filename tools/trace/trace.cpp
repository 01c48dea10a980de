// tilesim trace: a run as a file that a person can look at: for Perfetto, or as a page of its own.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/option_table.hpp"
#include "sim/contract/printable.hpp"
#include "sim/contract/standard_error.hpp"
#include "tools/build/cache.hpp"
#include "tools/build/kernel_options.hpp"
#include "tools/build/start.hpp"
#include "tools/check/run.hpp"
#include "tools/cli/arguments.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/number_checks.hpp"
#include "tools/cli/process.hpp"
#include "tools/cli/replay.hpp"
#include "tools/cli/run_options.hpp"
#include "tools/trace/events.hpp"
#include "tools/trace/page.hpp"
#include "tools/trace/run.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <unistd.h>

namespace tilesim::tools {

using namespace sim::option_literals;

namespace {

struct trace_options {
  std::string html;
  std::string replay;
  std::uint64_t events = 120'000;        // a page of so many stays below 5 MB
  std::optional<std::uint64_t> elements; ///< 256; of these a page shows what fits it
  bool verbose = false;
};

void add_options(CLI::App& app, trace_options& o) {
  app.add_option("--html", o.html, "write the run as one page that needs nothing else");
  app.add_option("--max-events", o.events, "operations, and arrows between them, to keep (120000)")
      ->check(whole_number(1, 4'000'000'000));
  app.add_option("--elements",
                 o.elements,
                 "of a result, how many elements to keep (256; a page of many operations shows "
                 "fewer unless told)")
      ->check(whole_number(0, 4096));
  app.add_option(
      "--replay", o.replay, "the schedule of a report's replay string, or of a saved file");
  app.add_flag("-v,--verbose", o.verbose, "print the commands that are run");
  app.footer(
      "-o FILE.json takes the trace in the Trace Event Format: https://ui.perfetto.dev and\n"
      "chrome://tracing open it. Blocks are its threads, operations its slices; arrows lead from\n"
      "a write to who reads it in another block. The page of --html shows the same offline.\n"
      "The program runs once, with the race detector; once more, in silence, where a finding "
      "comes\n"
      "behind the operations that are kept. The exit status is as of 'run'.\n"
      "\n"
      "examples:\n"
      "  tilesim trace -o saxpy.json saxpy.cu\n"
      "  tilesim trace --html histogram.html histogram.cu -- input.txt\n"
      "  tilesim trace -o t.json --html t.html --schedule random --seed 7 histogram.cu\n"
      "  tilesim trace -o t.json --max-events 5000 --elements 16 matmul.cu\n");
}

/// Runs the program, which writes its trace; returns both.
std::pair<program_run, traced_run> run_once(run_request request, recorded_input& input) {
  const temporary_file lines(cache::open(), ".trace");
  std::filesystem::remove(lines.path); // the program makes it: a process that it starts does not
  request.options["trace"_option] = sim::printable(lines.path);
  program_run run = run_checked(request, input, {});
  traced_run traced = read_traced_run(read_file(lines.path).value_or(""), run.report);
  return {std::move(run), std::move(traced)};
}

bool is_left_out(const traced_finding& f, const traced_run& run) {
  return !f.note && f.operation != 0 && run.find(f.operation) == nullptr;
}

/// Where there was no room for the operation of a finding, the program runs once more, in silence:
/// what lies around the finding is kept in place of some of what comes first.
std::pair<program_run, traced_run> run_traced(run_request request) {
  recorded_input input;
  const interrupt_watch watch;
  std::pair<program_run, traced_run> told = run_once(request, input);
  traced_run& traced = told.second;
  const auto left_out = std::ranges::find_if(
      traced.findings, [&](const traced_finding& f) { return is_left_out(f, traced); });
  if (left_out != traced.findings.end() && !told.first.killed && !interrupt_watch::requested()) {
    const std::uint64_t wanted = left_out->operation;
    request.options["trace_around"_option] = wanted;
    request.show = false;
    traced_run again = run_once(std::move(request), input).second;
    if (again.find(wanted) != nullptr) {
      traced = std::move(again);
    }
  }
  if (interrupt_watch::requested()) {
    told.first.status = exit_interrupted;
  }
  return told;
}

/// "the last 5 of 20 operations", "operations 8 to 12 and the last 5 of 20".
std::string left_out_text(const traced_run& run) {
  const traced_gap& last = run.gaps.back();
  const bool to_the_end = run.operations.empty() || run.operations.back().number < last.first;
  std::string text;
  for (const traced_gap& g : run.gaps) {
    text += text.empty() ? "" : " and ";
    text += to_the_end && g.first == last.first
                ? fmt::format("the last {} of {}{}",
                              g.count,
                              run.operation_count,
                              run.gaps.size() == 1 ? " operations" : "")
                : fmt::format("operations {} to {}", g.first, g.last);
  }
  return text;
}

void say(const traced_run& run, const trace_options& o, const std::string& source) {
  if (run.operation_count == 0) {
    sim::print_error("tilesim: note: {}: no kernel ran: the trace is empty\n", source);
  }
  if (!run.gaps.empty()) {
    const bool finding_is = std::ranges::any_of(
        run.findings, [&run](const traced_finding& f) { return is_left_out(f, run); });
    sim::print_error("tilesim: note: --max-events {} reached: {} are left out{}\n",
                     o.events,
                     left_out_text(run),
                     finding_is ? ", with one that has a finding: a larger N keeps it, and tilesim "
                                  "step stands at it"
                                : "");
  }
}

} // namespace

int trace_command(const std::vector<std::string>& words) {
  CLI::App app("Runs a program once and writes the run for a viewer: operations, memory, races.",
               "trace");
  set_usage(app,
            "usage: tilesim trace [-o FILE.json] [--html FILE.html] [options] FILE.cu... [compiler "
            "flags] [-- program arguments]");
  trace_options options;
  add_options(app, options);
  const run_options simulator(app, run_options::command::run);
  const kernel_options kernels(app);
  auto arguments = parse_arguments(app, words);
  const std::string output = std::exchange(arguments.request.output, {});
  if (arguments.request.objects_only) {
    throw failure(exit_usage, "'trace' runs the program, so it does not take -c");
  }
  if (output.empty() && options.html.empty()) {
    throw failure(exit_usage, "'trace' needs -o FILE.json, --html FILE.html, or both");
  }
  check_outputs({output, options.html}, arguments.request.sources);

  const std::string source = arguments.request.sources.front();
  run_request request;
  request.options = simulator.values();
  kernels.follow(arguments, options.verbose, request.options);
  if (app.count("--replay") != 0) {
    use_replay(options.replay, arguments, request.options);
  }
  for (const char* always : {"races"_option, "repeatable"_option, "record"_option}) {
    request.options[always] = true;
  }
  request.options["trace_events"_option] = options.events;
  request.options["trace_elements"_option] = options.elements.value_or(256);
  request.show = true;
  arguments.request.hooks = true;
  const std::string command = to_string(program_words(arguments));
  program_start start = start_of(std::move(arguments), options.verbose);
  request.program = std::move(start.file);
  request.words = std::move(start.words);

  const auto [run, traced] = run_traced(std::move(request));
  if (!output.empty()) {
    write_output(output, to_trace_events(traced, command));
  }
  if (!options.html.empty()) {
    write_output(options.html, to_trace_page(traced, command, options.elements.has_value()));
  }
  say(traced, options, source);
  return run.status;
}

} // namespace tilesim::tools
