// tilesim check: runs a program under several schedules and reports every defect that one showed.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/printable.hpp"
#include "sim/contract/standard_error.hpp"
#include "tools/build/kernel_options.hpp"
#include "tools/build/start.hpp"
#include "tools/check/html.hpp"
#include "tools/check/json.hpp"
#include "tools/check/loop.hpp"
#include "tools/check/report.hpp"
#include "tools/check/run.hpp"
#include "tools/check/selector.hpp"
#include "tools/check/suppressions.hpp"
#include "tools/check/text.hpp"
#include "tools/cli/arguments.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/number_checks.hpp"
#include "tools/cli/replay.hpp"
#include "tools/cli/run_options.hpp"
#include "tools/cli/terminal.hpp"
#include "tools/cli/wording.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <utility>

namespace tilesim::tools {

namespace {

constexpr auto standard_output = "true"; ///< what --json and its like without a value give

struct check_options {
  std::optional<std::size_t> schedules;
  std::optional<double> time;
  std::size_t jobs = 0;
  std::optional<unsigned> preemptions;
  std::string resume;
  std::string seed = "0";
  unsigned depth = 3;
  std::string model = "ptx";
  double timeout = 0;
  std::string replay;
  std::string finding;
  std::string suppress;
  std::string input;
  std::string json; ///< "true": standard output
  std::string sarif;
  std::string html;
  bool strict = false;
  bool keep_schedules = false;
  bool verbose = false;

  /// Standard output is the report's: the program's own is not shown.
  [[nodiscard]] bool reports_on_output() const {
    return json == standard_output || sarif == standard_output || html == standard_output;
  }

  [[nodiscard]] std::uint64_t seed_value() const {
    if (seed == "random") {
      return std::random_device{}();
    }
    const auto value = number<std::uint64_t>(seed);
    if (!value) {
      throw failure(
          exit_usage,
          fmt::format("--seed takes a whole number or random, not '{}'", shortened(seed)));
    }
    return *value;
  }

  [[nodiscard]] std::optional<std::string> input_text() const {
    if (input.empty()) {
      return {};
    }
    auto text = read_file(input);
    if (!text) {
      throw failure(exit_usage, fmt::format("{}: cannot be read; --input takes a file", input));
    }
    return text;
  }

  [[nodiscard]] check_settings settings() const {
    constexpr std::size_t least = 8;
    constexpr double usual_time = 5;
    // A search of all schedules goes on to its end.
    return {.schedules = schedules.value_or(preemptions ? 0 : least),
            .fewer_if_endless = !schedules && !preemptions,
            .to_run_all = fmt::format("--schedules {}", least),
            .seconds = time.value_or(schedules || preemptions ? 0 : usual_time),
            .jobs = jobs,
            .preemptions = preemptions,
            .resume = resume,
            .seed = seed_value(),
            .depth = depth,
            .weak = model == "ptx",
            .timeout = timeout,
            .replay = replay,
            .input = input_text(),
            .keep_schedules = keep_schedules,
            .show_first = !reports_on_output()};
  }
};

void add_options(CLI::App& app, check_options& o) {
  app.add_option("--schedules", o.schedules, "run the program so often, and no more")
      ->check(whole_number(1, 1'000'000'000));
  app.add_option(
         "--time",
         o.time,
         "run it under 8 schedules, or --schedules, and further ones for so many seconds (5)")
      ->check(positive_seconds());
  app.add_option(
         "--jobs", o.jobs, "so many runs at once, at most (all processors, as memory allows)")
      ->check(whole_number(1, 1'000'000));
  app.add_option("--preemptions",
                 o.preemptions,
                 "every schedule with at most so many preemptions at memory operations, instead")
      ->check(whole_number(0, 99));
  app.add_option(
      "--resume", o.resume, "a file that keeps what of them was not run, and goes on with that");
  app.add_option("--seed", o.seed, "what all schedules are drawn from: a number (0) or random");
  app.add_option("--depth", o.depth, "of pct schedules: how many ordered events a bug takes (3)")
      ->check(whole_number(1, 99));
  app.add_option("--model",
                 o.model,
                 "ptx (default): some schedules are weak, reads take older writes where the memory "
                 "model allows; sc: none")
      ->check(CLI::IsMember({"ptx", "sc"}));
  app.add_option("--timeout", o.timeout, "stop after so many seconds, with what was found")
      ->check(positive_seconds());
  app.add_option("--replay", o.replay, "only the schedule that a finding's replay string names");
  app.add_option("--finding",
                 o.finding,
                 "of what that shows, this finding alone: its name, as reports print it");
  app.add_flag("--keep-schedules",
               o.keep_schedules,
               "do not look for shorter schedules that show the findings, too");
  app.add_option("--suppress", o.suppress, "a file of findings that are known: code file:line");
  app.add_option("--input", o.input, "a file as the program's standard input");
  app.add_flag("--json", o.json, "the report as JSON, on standard output or --json=FILE");
  app.add_flag("--sarif", o.sarif, "the report as SARIF 2.1.0, likewise");
  app.add_flag("--html", o.html, "the report as one HTML page, likewise");
  app.add_flag("--strict", o.strict, "notes count as findings, too");
  app.add_flag("-v,--verbose", o.verbose, "print the commands that are run");
  app.footer(
      "Compiler flags are g++'s and nvcc's. The report goes to standard error, behind what the\n"
      "first run prints. Exit status: 0 no findings, 1 findings, 3 a limit was reached or nothing\n"
      "was checked, 64 to 70 as of 'run', 66 the program itself failed.\n"
      "\n"
      "examples:\n"
      "  tilesim check histogram.cu\n"
      "  tilesim check --schedules 50 --seed 7 histogram.cu -- input.txt\n"
      "  tilesim check --timeout 60 --strict main.cu kernels.cu -I include\n"
      "  tilesim check --sarif=report.sarif --suppress known.txt histogram.cu\n"
      "  tilesim check --replay 2-3@5,0-0f1e2d3c4b5a6978 histogram.cu\n");
}

void refuse_contradictions(const check_options& o, const CLI::App& given) {
  if (o.preemptions && !o.replay.empty()) {
    throw failure(exit_usage, "--preemptions runs many schedules, --replay one: give one of them");
  }
  if (!o.resume.empty() && !o.preemptions) {
    throw failure(exit_usage, "--resume is for --preemptions");
  }
  if (o.replay.empty() && given.count("--finding") != 0) {
    throw failure(exit_usage, "--finding is for --replay: a check tells all that it finds");
  }
}

/// The program, compiled so that raw accesses are seen.
run_request request(arguments a,
                    nlohmann::json simulated,
                    bool verbose,
                    const std::optional<sim::replay>& replayed) {
  run_request r;
  r.options = std::move(simulated);
  a.request.hooks = true;
  if (replayed) {
    compile_for(*replayed, a.request);
  }
  program_start start = start_of(std::move(a), verbose);
  r.program = std::move(start.file);
  r.words = std::move(start.words);
  return r;
}

std::vector<suppression> read_suppressions(const std::string& file) {
  if (file.empty()) {
    return {};
  }
  const auto text = read_text(file);
  if (!text) {
    throw failure(exit_usage, fmt::format("{}: cannot be read; --suppress takes a file", file));
  }
  return parse_suppressions(file, *text);
}

/// Of what a replayed schedule shows, the finding that is wanted, or what it is told as here.
void keep_what_is_wanted(check_report& r) {
  using closeness = selector::closeness;
  auto best = closeness::none;
  for (const auto& f : r.findings) {
    best = std::max(best, r.closeness_of(f));
  }
  const auto others = std::erase_if(r.findings, [&](const auto& f) {
    return best == closeness::none || r.closeness_of(f) != best;
  });
  if (r.findings.empty()) {
    r.limits.push_back(fmt::format("{} does not come up under this schedule{}",
                                   to_string(*r.wanted),
                                   others == 0 ? "" : "; without --finding what does is told"));
  } else if (others != 0) {
    r.remarks.push_back(fmt::format("the schedule shows {}: without --finding all are told",
                                    counted(others, "other finding")));
  }
}

template <class Text>
void write_report(const std::string& to, const Text& text) {
  if (to == standard_output) {
    print_out(text());
  } else if (!to.empty()) {
    write_output(to, text());
  }
}

/// Whoever collects reports finds one of a check that could not begin, which says so.
template <class Begin>
run_request
telling_failures(const check_options& options, const check_report& subject, const Begin& begin) {
  try {
    return begin();
  } catch (const failure& f) {
    write_report(options.sarif, [&] {
      return sarif_of_failure(subject.command,
                              f.code(),
                              f.code() == exit_input
                                  ? "the program does not compile: the compiler's messages are on "
                                    "standard error"
                                  : f.what());
    });
    throw;
  }
}

} // namespace

int check_command(const std::vector<std::string>& words) {
  CLI::App app("Runs a program under several schedules and reports every defect that one showed: "
               "data races, undefined operations, bad accesses, deadlocks.",
               "check");
  set_usage(app,
            "usage: tilesim check [options] FILE.cu... [compiler flags] [-- program arguments]\n"
            "       tilesim check [options] FILE.py [-- program arguments]");
  check_options options;
  add_options(app, options);
  const auto own = options_so_far(app);
  const run_options simulator(app, run_options::command::check);
  const kernel_options kernels(app);
  auto arguments = parse_arguments(app, words);
  refuse_output(arguments, "check");
  refuse_contradictions(options, app);
  check_report subject;
  if (app.count("--finding") != 0) {
    subject.wanted = wanted_finding(options.finding);
  }
  auto known = read_suppressions(options.suppress);
  add_built_in(known);
  const auto outputs = {options.json, options.sarif, options.html};
  if (std::ranges::count(outputs, standard_output) > 1) {
    throw failure(exit_usage,
                  "--json, --sarif and --html share standard output; give all but one a file, such "
                  "as --html=report.html");
  }
  std::vector<std::string> files(outputs);
  std::erase(files, standard_output);
  check_outputs(files, arguments.request.sources, {options.suppress, options.input});
  for (const auto& source : arguments.request.sources) {
    subject.sources.push_back(sim::printable(source));
  }
  subject.input = options.input;
  subject.suppress = options.suppress;
  subject.strict = options.strict;
  subject.command = to_string(words_without(own, words));
  auto simulated = simulator.values();
  kernels.follow(arguments, options.verbose, simulated);
  subject.program = program_hash(arguments, simulated);
  std::optional<sim::replay> replayed;
  if (!options.replay.empty()) {
    replayed = read_replay(options.replay, subject.program);
  }
  auto program = telling_failures(options, subject, [&] {
    return request(std::move(arguments), std::move(simulated), options.verbose, replayed);
  });
  tell_simulator(known, program.options);
  auto report = run_check(options.settings(), std::move(program), subject);
  suppress(report, known);
  if (report.wanted) {
    keep_what_is_wanted(report);
  }
  sim::write_error(for_terminal(to_text(report)));
  write_report(options.json, [&] { return to_json(report); });
  write_report(options.sarif, [&] { return to_sarif(report); });
  write_report(options.html, [&] { return to_html(report); });
  return report.exit_code();
}

} // namespace tilesim::tools
