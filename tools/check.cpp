// tilesim check: runs a program under several schedules and reports every defect that one showed.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/arguments.hpp"
#include "tools/check_compare.hpp"
#include "tools/check_html.hpp"
#include "tools/check_json.hpp"
#include "tools/check_minimise.hpp"
#include "tools/check_report.hpp"
#include "tools/check_run.hpp"
#include "tools/check_schedule.hpp"
#include "tools/check_text.hpp"
#include "tools/command.hpp"
#include "tools/compile.hpp"
#include "tools/exit_codes.hpp"
#include "tools/failure.hpp"
#include "tools/files.hpp"
#include "tools/replay.hpp"
#include "tools/run_options.hpp"
#include "tools/suppressions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>

namespace tilesim::driver {
namespace {

using std::chrono::steady_clock;

constexpr auto standard_output = "true"; ///< what --json and its like without a value give

struct check_options {
  std::size_t schedules = 8;
  std::string seed = "0";
  unsigned depth = 3;
  double timeout = 0;
  std::string replay;
  std::string suppress;
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
    if (seed == "random")
      return std::random_device{}();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(seed.data(), seed.data() + seed.size(), value);
    if (error != std::errc{} || end != seed.data() + seed.size())
      throw failure(exit_usage,
                    fmt::format("--seed takes a whole number or random, not '{}'", seed));
    return value;
  }
};

void add_options(CLI::App& app, check_options& o) {
  app.add_option("--schedules", o.schedules, "run the program so often (8)")
      ->check(CLI::PositiveNumber);
  app.add_option("--seed", o.seed, "what all schedules are drawn from: a number (0) or random");
  app.add_option("--depth", o.depth, "of pct schedules: how many ordered events a bug takes (3)")
      ->check(CLI::Range(1, 99));
  app.add_option("--timeout", o.timeout, "stop after so many seconds, with what was found")
      ->check(CLI::PositiveNumber);
  app.add_option("--replay", o.replay, "only the schedule that a finding's replay string names");
  app.add_flag("--keep-schedules",
               o.keep_schedules,
               "do not look for shorter schedules that show the findings, too");
  app.add_option("--suppress", o.suppress, "a file of findings that are known: code file:line");
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

class checker {
public:
  checker(const check_options& o, arguments a, const nlohmann::json& simulator)
      : options_(o)
      , simulator_(simulator)
      , seed_(o.seed_value()) {
    report_.sources = a.request.sources;
    report_.program = program_hash(a, simulator);
    report_.planned = o.replay.empty() ? o.schedules : 1;
    request_.words = {std::filesystem::path(a.request.sources.front()).stem().string()};
    request_.words.insert(request_.words.end(), a.program.begin(), a.program.end());
    a.request.hooks = true;
    request_.program = builder(std::move(a.request), o.verbose).program();
    simulator_["races"] = true;
    simulator_["quiet"] = true;
    simulator_["repeatable"] = true;
    simulator_["record"] = true;
  }

  void set_command(std::string command) { report_.command = std::move(command); }

  check_report& run() {
    const interrupt_watch watch;
    if (options_.timeout > 0)
      deadline_ = steady_clock::now() + std::chrono::duration_cast<steady_clock::duration>(
                                            std::chrono::duration<double>(options_.timeout));
    const auto begun = steady_clock::now();
    for (std::size_t i = 0; i < report_.planned && go_on(); ++i)
      run_schedule(i);
    if (options_.replay.empty() && !options_.keep_schedules &&
        report_.runs.size() == report_.planned)
      shorten(steady_clock::now() - begun);
    return report_;
  }

private:
  bool go_on() {
    if (interrupt_watch::requested()) {
      stopped_early("interrupted");
      return false;
    }
    if (deadline_ && steady_clock::now() > *deadline_) {
      stopped_early(fmt::format("--timeout of {} seconds reached", options_.timeout));
      return false;
    }
    return true;
  }

  /// Looks for shorter schedules; takes about as long as the check itself has taken at most.
  void shorten(steady_clock::duration checked_for) {
    const auto until = steady_clock::now() + std::max<steady_clock::duration>(checked_for, least);
    // A run may take long under an unlucky schedule.
    const auto one = 4 * checked_for / static_cast<int>(report_.runs.size()) + least;
    const auto over = [&] {
      return interrupt_watch::requested() || steady_clock::now() > until ||
             (deadline_ && steady_clock::now() > *deadline_);
    };
    minimise(report_, simulator_.value("order", "fixed") == "random", [&](const schedule& which) {
      if (over())
        return false;
      auto deadline = steady_clock::now() + one;
      if (deadline_)
        deadline = std::min(deadline, *deadline_);
      progress line("tilesim: looking for shorter schedules that show the findings");
      report_.add_witness(which, run_program(which, deadline, line));
      return !over();
    });
  }

  void stopped_early(const std::string& why) {
    report_.limits.push_back(
        fmt::format("{} after {} of {} schedules", why, report_.runs.size(), report_.planned));
  }

  void run_schedule(std::size_t index) {
    const auto which = chosen(index);
    auto run = run_program(which, index == 0 && !options_.reports_on_output());
    if (index == 0 && !run.report.is_null())
      steps_ = run.report.at("steps").get<std::uint64_t>();
    report_.add(which, run);
    if (which == schedule{}) {
      first_ = std::move(run);
      return;
    }
    if (index == 0) // of a replay, whose finding may be a difference
      first_ = run_program({}, false);
    if (comparing_)
      compare_with_first(which, run);
  }

  /// A result that differs from the first run's is explained by more runs: does the program differ
  /// by itself, by the unspecified values alone, or by the schedule?
  void compare_with_first(const schedule& which, const program_run& run) {
    const auto differs = compare(first_, run);
    if (!differs)
      return;
    const schedule first_schedule;
    if (compare(first_, run_program(first_schedule, false))) {
      comparing_ = false;
      report_.remarks.push_back("results were not compared: two runs under the same schedule "
                                "differ, as of a program that "
                                "prints times");
      return;
    }
    auto same_fill = which;
    same_fill.fill = first_schedule.fill;
    auto other_fill = first_schedule;
    other_fill.fill = which.fill;
    if (compare(first_, run_program(same_fill, false)))
      note(finding_kind::schedule_dependent, "the schedule", *differs, which);
    if (const auto by_fill = compare(first_, run_program(other_fill, false)))
      note(finding_kind::unspecified_dependent, "an unspecified value", *by_fill, other_fill);
    // One note of each kind is enough: which results differ from which is not the check's question.
    comparing_ = !noted_all();
  }

  void note(finding_kind kind, const char* on, const difference& d, const schedule& which) {
    if (noted(kind))
      return;
    checked_finding n;
    n.code = code(kind);
    n.message = fmt::format("the result depends on {}: {}", on, d.what);
    n.details = {fmt::format("under {}, as against round-robin", describe(which))};
    n.remedy = kind == finding_kind::schedule_dependent
                   ? "nothing, where each of the results is right, as of an atomic sum in floating "
                     "point; else order what the result depends on"
                   : "give the elements that are masked out a value of their own (padding)";
    n.where = d.where;
    n.replay = to_string(replay{which, report_.program});
    report_.add_note(std::move(n));
  }

  [[nodiscard]] bool noted(finding_kind kind) const {
    return std::ranges::any_of(report_.findings, [&](auto& f) { return f.code == code(kind); });
  }

  [[nodiscard]] bool noted_all() const {
    return noted(finding_kind::schedule_dependent) && noted(finding_kind::unspecified_dependent);
  }

  [[nodiscard]] schedule chosen(std::size_t index) const {
    if (options_.replay.empty())
      return nth_schedule(index, seed_, options_.depth, steps_);
    return read_replay(options_.replay, report_.program);
  }

  program_run run_program(const schedule& which, bool show) {
    request_.show = show;
    progress line(fmt::format(
        "tilesim: checking, schedule {} of {}", report_.runs.size() + 1, report_.planned));
    return run_program(which, deadline_, line);
  }

  program_run run_program(const schedule& which,
                          std::optional<steady_clock::time_point> deadline,
                          progress& line) {
    request_.options = simulator_;
    set_options(which, request_.options);
    if (deadline) {
      const std::chrono::duration<double> left = *deadline - steady_clock::now();
      request_.options["timeout"] = std::max(0.01, left.count());
    }
    request_.deadline = deadline;
    return run_checked(request_, input_, [&] {
      if (!request_.show)
        line.tick();
    });
  }

  static constexpr std::chrono::seconds least{2};

  const check_options& options_;
  nlohmann::json simulator_;
  std::uint64_t seed_;
  run_request request_;
  recorded_input input_;
  check_report report_;
  std::uint64_t steps_ = 0; ///< memory operations of the first run
  program_run first_;
  bool comparing_ = true;
  std::optional<steady_clock::time_point> deadline_;
};

std::vector<suppression> read_suppressions(const std::string& file) {
  if (file.empty())
    return {};
  const auto text = read_file(file);
  if (!text)
    throw failure(exit_usage, fmt::format("{}: cannot be read; --suppress takes a file", file));
  return parse_suppressions(file, *text);
}

template <class Text>
void write_report(const std::string& to, const Text& text) {
  if (to == standard_output)
    fmt::print("{}", text());
  else if (!to.empty())
    write_file(to, text());
}

} // namespace

int check_command(const std::vector<std::string>& words) {
  CLI::App app("Runs a program under several schedules and reports every defect that one showed: "
               "data races, undefined operations, bad accesses, deadlocks.",
               "check");
  set_usage(app,
            "usage: tilesim check [options] FILE.cu... [compiler flags] [-- program arguments]");
  check_options options;
  add_options(app, options);
  const auto& all = std::as_const(app).get_options();
  const std::vector<const CLI::Option*> own(all.begin(), all.end());
  const run_options simulator(app, run_options::command::check);
  auto arguments = parse_arguments(app, words);
  if (arguments.request.objects_only || !arguments.request.output.empty())
    throw failure(exit_usage,
                  "'check' keeps nothing, so it takes neither -c nor -o; use 'tilesim build'");
  auto known = read_suppressions(options.suppress);
  const auto outputs = {options.json, options.sarif, options.html};
  if (std::ranges::count(outputs, standard_output) > 1)
    throw failure(exit_usage,
                  "--json, --sarif and --html share standard output; give all but one a file, such "
                  "as --html=report.html");
  checker check(options, std::move(arguments), simulator.values());
  check.set_command(to_string(words_without(own, words)));
  auto& report = check.run();
  suppress(report, known);
  fmt::print(stderr, "{}", for_terminal(to_text(report, options.strict)));
  write_report(options.json, [&] { return to_json(report, options.strict); });
  write_report(options.sarif, [&] { return to_sarif(report, options.strict); });
  write_report(options.html, [&] { return to_html(report, options.strict); });
  return report.exit_code(options.strict);
}

} // namespace tilesim::driver
