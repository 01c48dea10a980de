// A program's simulation, held against a recording.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/diff/comparison.hpp"

#include "sim/contract/altered_values.hpp"
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/exploration.hpp"
#include "sim/contract/exploration_report.hpp"
#include "sim/contract/option_table.hpp"
#include "sim/contract/printable.hpp"
#include "sim/contract/report_members.hpp"
#include "tools/build/cache.hpp"
#include "tools/build/compile.hpp"
#include "tools/build/start.hpp"
#include "tools/check/run.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/process.hpp"
#include "tools/cli/resources.hpp"
#include "tools/cli/terminal.hpp"
#include "tools/cli/wording.hpp"
#include "tools/diff/errors.hpp"
#include "tools/diff/feed.hpp"

#define XXH_INLINE_ALL
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <xxhash.h>

namespace tilesim::tools::diff {

using namespace sim::option_literals;

namespace {

/// Whether nvcc was told to make division, roots or functions approximate, or to flush subnormal
/// numbers.
bool makes_approximate(const std::string& flags) {
  constexpr std::array<std::string_view, 4> known{
      "-use_fast_math", "-ftz=true", "-prec-div=false", "-prec-sqrt=false"};
  return std::ranges::any_of(words_at_blanks(flags), [&](std::string_view word) {
    return std::ranges::find(known, word.substr(word.starts_with("--") ? 1 : 0)) != known.end();
  });
}

/// What one run of the program gave.
struct compared_run {
  program_run run;
  std::string lines;
  std::string explored; ///< of a run that looked at all executions: its report, if it got to that
};

/// Why a run that was to look at all executions has not told what they end in.
std::string why_unseen(const compared_run& looked) {
  if (looked.run.killed) {
    return "the time was over before one had ended; --search-time SECONDS looks longer";
  }
  if (const auto report = nlohmann::json::parse(looked.explored, nullptr, false);
      report.is_object()) {
    if (std::string why = report.value(sim::in_exploration::why, ""); !why.empty()) {
      return why;
    }
  }
  return fmt::format("the program ended with status {} when they were looked at",
                     looked.run.status);
}

class comparison {
public:
  comparison(arguments given,
             nlohmann::json simulator,
             const comparison_request& o,
             std::uint64_t run)
      : given_(std::move(given))
      , simulator_(std::move(simulator))
      , options_(o)
      , run_(run)
      , feed_(cache::open(), ".feed") {}
  ~comparison() {
    std::filesystem::remove(contents_path(), ignored_);
    std::filesystem::remove(sums_path(), ignored_);
    std::filesystem::remove(left_path(), ignored_);
  }
  comparison(const comparison&) = delete;
  comparison& operator=(const comparison&) = delete;

  report run() {
    const recorded_run_of recorded = read_recording();
    if (recorded.sums) {
      write_file(sums_path(), *recorded.sums);
      simulator_["contract"_option] = sim::printable(sums_path());
    }
    const auto started = std::chrono::steady_clock::now();
    // Without hooks who polls a volatile variable has every turn; with them it waits for another.
    const bool may_poll = has_word("volatile");
    const compared_run first =
        simulate({.at_most = may_poll ? std::optional(longest_poll) : std::nullopt});
    const auto first_took = std::chrono::steady_clock::now() - started;
    report found = judge(recorded, first);
    // Who wrote what differs, and whether it races, costs time: only where something is wrong.
    if (found.exit_code() != exit_clean && !interrupt_watch::requested()) {
      const way second{.detailed = true,
                       .bounds_of = launches_that_differ(found),
                       .contracts = recorded.where.flags.find("-fmad=false") == std::string::npos,
                       .approximates = makes_approximate(recorded.where.flags)};
      const auto begun = std::chrono::steady_clock::now();
      found = judge(recorded, simulate(second));
      const auto took = std::chrono::steady_clock::now() - begun;
      try_other_values(found, recorded, second, took);
      try_other_schedules(found, recorded, first_took);
      try_other_olds(found, recorded, second, took);
      try_all_executions(found);
    }
    return found;
  }

private:
  using recorded_run_of = recorded_run;

  struct way {
    bool detailed = false;         ///< also who wrote what, and whether it races
    std::uint64_t random_seed = 0; ///< of a random schedule; 0: as the options say
    std::string bounds_of = {};    ///< launches of which it is derived how far they may be off
    bool contracts = false;        ///< the compiler there may have fused products and sums,
    bool approximates = false;     ///< and have made other arithmetic approximate
    std::optional<std::chrono::duration<double>> at_most = {}; ///< that it may take
    sim::altered_values altered = {}; ///< in a run beside the one that is told
    std::uint64_t ends_of = 0;        ///< the launch, from 1, of which all executions are looked at
  };

  template <class Take>
  static std::string launches_of(const report& found, const Take& takes) {
    std::vector<std::uint64_t> numbers;
    for (const compared_launch& l : found.launches) {
      if (takes(l)) {
        numbers.push_back(l.number);
      }
    }
    return fmt::format("{}", fmt::join(numbers, ","));
  }

  static std::string launches_that_differ(const report& found) {
    return launches_of(found, [](const compared_launch& l) {
      return !l.buffers.empty(); // even of other input: it may be one that nobody reads
    });
  }

  /// A value is known by its bytes: an exact one that has those of one that may be off has its
  /// bounds. In another run, which computes other numbers within the bounds, it has them no more.
  void try_other_values(report& found,
                        const recorded_run_of& recorded,
                        way second,
                        std::chrono::steady_clock::duration took) {
    second.bounds_of =
        launches_of(found, [](const compared_launch& l) { return l.needs_other_values(); });
    second.altered = sim::altered_values::numbers;
    second.at_most = (4 * took) + std::chrono::seconds(10); // a loop may wait for just one number
    if (!second.bounds_of.empty() && !interrupt_watch::requested()) {
      note_other_values(found, judge(recorded, simulate(second)));
    }
    // What is computed from their bits, and not followed, is told to differ if it is the same
    // whichever number is there.
    for (const auto end : {sim::altered_values::least, sim::altered_values::greatest}) {
      second.bounds_of =
          launches_of(found, [](const compared_launch& l) { return l.needs_both_ends(); });
      second.altered = end;
      if (!second.bounds_of.empty() && !interrupt_watch::requested()) {
        note_other_values(found, judge(recorded, simulate(second)));
      }
    }
  }

  /// Whole numbers that are added up come to the same in every order, unless somebody looks at what
  /// the additions gave: then other values of these leave other memory.
  void try_other_olds(report& found,
                      const recorded_run_of& recorded,
                      way second,
                      std::chrono::steady_clock::duration took) {
    second.at_most = (4 * took) + std::chrono::seconds(10); // a loop may wait for just one value
    std::vector<report> others;
    for (const auto what : {sim::altered_values::olds,
                            sim::altered_values::no_olds,
                            sim::altered_values::many_olds}) {
      second.bounds_of = launches_of(found, [&](const compared_launch& l) {
        return l.waits_for_olds() && nobody_looks(l, others);
      });
      second.altered = what;
      if (second.bounds_of.empty() || interrupt_watch::requested()) {
        return;
      }
      others.push_back(judge(recorded, simulate(second)));
    }
    note_other_olds(found, others);
  }

  /// Where atomic updates took part another order may give what the other machine had.
  void try_other_schedules(report& found,
                           const recorded_run_of& recorded,
                           std::chrono::steady_clock::duration took) {
    constexpr std::uint64_t schedules = 8;
    const bool needed = std::ranges::any_of(found.launches, [](const compared_launch& l) {
      const auto unsettled = [](const differing_buffer& b) {
        return b.wrong() + b.undecided() != 0;
      };
      return std::ranges::any_of(l.buffers, unsettled) &&
             std::ranges::any_of(l.inexact, &inexact_operation::is_left_to_the_schedule);
    });
    for (std::uint64_t seed = 1; needed && seed <= schedules && !interrupt_watch::requested();
         ++seed) {
      // A thread may wait for ever for one that has no turn in a schedule without hooks.
      const compared_run other =
          simulate({.random_seed = seed, .at_most = (4 * took) + std::chrono::seconds(5)});
      if (other.run.killed) {
        return;
      }
      note_varying(found, judge(recorded, other), seed);
    }
  }

  /// Of a launch whose results depend on who comes first, or where something races, and that is
  /// small enough: has any execution that the model allows the results of the other machine?
  void try_all_executions(report& found) {
    constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20U;
    const std::chrono::duration<double> in_all(4 * options_.search_seconds);
    const auto begun = std::chrono::steady_clock::now();
    for (compared_launch& l : found.launches) {
      const bool open = l.judged() == verdict::undecided || l.judged() == verdict::differs;
      const bool depends =
          !found.findings.empty() ||
          std::ranges::any_of(l.inexact, &inexact_operation::is_left_to_the_schedule);
      if (!open || !depends || l.is_settled() || !l.inputs.empty() ||
          interrupt_watch::requested()) {
        continue;
      }
      if (l.bytes > most_bytes) {
        l.unseen = fmt::format("a launch with {} bytes of memory has too many", l.bytes);
      } else if (std::chrono::steady_clock::now() - begun > in_all) {
        l.unseen = fmt::format("the {} seconds for all launches were over; --search-time SECONDS "
                               "looks longer",
                               in_all.count());
      } else {
        // Of what races alone the answer is the race, whatever it leaves.
        const bool races =
            std::ranges::none_of(l.inexact, &inexact_operation::is_left_to_the_schedule);
        const compared_run looked = simulate(
            {.at_most = std::chrono::duration<double>(options_.search_seconds / (races ? 5 : 1)),
             .ends_of = l.number + 1});
        l.unseen = why_unseen(looked);
        note_ends(found, looked.lines);
      }
    }
  }

  [[nodiscard]] std::string contents_path() const { return feed_.path + ".contents"; }

  [[nodiscard]] std::string left_path() const { return feed_.path + ".left"; }

  [[nodiscard]] std::string sums_path() const { return feed_.path + ".sums"; }

  recorded_run_of read_recording() {
    try {
      const gpu::recording_file file(options_.recording);
      recorded_run_of recorded = write_feed(file, feed_.path, run_);
      if (recorded.launches == 0) {
        refuse_idle(recorded.where, recorded.errors);
      }
      return recorded;
    } catch (const gpu::bad_recording& e) {
      throw printed_failure(exit_input, std::string(e.what()) + "\n");
    } catch (const std::system_error& e) {
      throw failure(exit_usage, fmt::format("{}: {}", options_.recording, e.code().message()));
    }
  }

  compared_run simulate(const way& how) {
    const temporary_file lines(cache::open(), ".comparison");
    std::filesystem::remove(lines.path); // the program makes it: a process that it starts does not
    run_request request;
    request.options = simulator_;
    request.options["feed"_option] = sim::printable(feed_.path);
    request.options["comparison"_option] = sim::printable(lines.path);
    if (how.random_seed != 0) {
      request.options["schedule"_option] = "random";
      request.options["seed"_option] = how.random_seed;
    }
    request.options["compare_details"_option] = how.detailed;
    request.options["compare_bounds"_option] = how.bounds_of;
    request.options["compare_contracts"_option] = how.contracts;
    request.options["compare_approximates"_option] = how.approximates;
    request.options["compare_left"_option] = sim::printable(left_path());
    request.options["compare_altered"_option] = static_cast<std::uint64_t>(how.altered);
    request.options["repeatable"_option] = true;
    request.options["races"_option] = how.detailed || options_.races;
    if (!request.options.contains("arith"_option)) {
      request.options["arith"_option] = "hardware";
    }
    request.options["compare_ends"_option] = how.ends_of;
    const temporary_file explored(cache::open(), ".json");
    if (how.at_most) {
      request.deadline = deadline_in(how.at_most->count());
    }
    if (how.ends_of != 0) {
      request.options["quiet"_option] = true;
      request.show = false;
      sim::exploration_order order;
      order.jobs = usable_processors();
      order.seconds = how.at_most.value().count();
      order.report = explored.path;
      setenv(sim::exploration_variable, sim::to_text(order).c_str(), 1);
    }
    arguments started = given_;
    started.request.hooks = how.detailed || options_.races || how.ends_of != 0;
    program_start start = start_of(std::move(started), options_.verbose);
    request.program = std::move(start.file);
    request.words = std::move(start.words);
    recorded_input input;
    const interrupt_watch watch;
    progress said(how.ends_of != 0 ? "looking at all executions"
                  : how.altered >= sim::altered_values::olds
                      ? "looking whether results depend on who came first"
                  : how.altered != sim::altered_values::nothing
                      ? "looking how far results may be off"
                  : how.detailed ? "looking for who wrote what differs"
                                 : "simulating");
    compared_run result;
    result.run = run_checked(request, input, [&said] { said.tick(); });
    unsetenv(sim::exploration_variable);
    result.lines = read_file(lines.path).value_or("");
    result.explored = how.ends_of == 0 ? "" : read_file(explored.path).value_or("");
    if (interrupt_watch::requested()) {
      result.run.status = exit_interrupted;
    }
    return result;
  }

  report judge(const recorded_run_of& recorded, const compared_run& simulated) {
    report r;
    r.sources = given_.request.sources;
    r.other = recorded.where;
    r.remarks = recorded.remarks;
    r.run = run_;
    r.runs = recorded.runs;
    r.status_here = simulated.run.status;
    r.status_there = recorded.status;
    r.launches_there = recorded.launches;
    read_comparison(r, simulated.lines);
    if (is_python(given_)) { // what it prints and returns is not in its recording
      r.status_here = simulated.run.status == exit_stopped ? exit_stopped : 0;
      r.status_there = 0;
    } else {
      r.printed_here = simulated.run.output.first_not_in(recorded.output);
      r.printed_there = recorded.output.first_not_in(simulated.run.output);
    }
    if (simulated.run.report.is_object() &&
        simulated.run.report.contains(sim::in_report::findings)) {
      for (const auto& f : simulated.run.report.at(sim::in_report::findings)) {
        if (checked_finding found = reported_finding(f); !found.note) { // memory never freed, …
          r.findings.push_back(std::move(found));
        }
      }
    }
    if (recorded.source_hash != 0 && recorded.source_hash != source_hash()) {
      r.other_text = fmt::format("{} is a recording of another text than {}: what differs may be "
                                 "the program",
                                 options_.recording,
                                 fmt::join(r.sources, " "));
    }
    note_errors(r, recorded.errors);
    const std::string stop = stop_at_what_differs(r);
    if (!stop.empty()) {
      r.step += to_string({"--ex", "break " + stop, "--ex", "run"}) + " ";
    }
    if (options_.no_arith) {
      r.step += "--arith hardware ";
    }
    if (recorded.sums) { // fused there
      r.step += "--contract compiler ";
    }
    r.step += options_.program;
    return r;
  }

  /// Of one that may wait for a volatile variable, before a run with hooks is begun.
  static constexpr std::chrono::duration<double> longest_poll = std::chrono::seconds(10);

  [[nodiscard]] bool has_word(std::string_view word) const {
    return std::ranges::any_of(given_.request.sources, [&](const std::string& source) {
      return read_file(source).value_or("").find(word) != std::string::npos;
    });
  }

  /// As `tilesim gpu build` takes it: of all sources, one behind the other.
  [[nodiscard]] std::uint64_t source_hash() const {
    std::string all;
    for (const std::string& source : given_.request.sources) {
      all += read_file(source).value_or("");
    }
    return XXH64(all.data(), all.size(), 0);
  }

  arguments given_;
  nlohmann::json simulator_;
  const comparison_request& options_;
  std::uint64_t run_;
  temporary_file feed_;
  std::error_code ignored_;
};

} // namespace

std::vector<report> compare(const arguments& given,
                            const nlohmann::json& simulator,
                            const comparison_request& request) {
  std::vector<report> runs;
  std::uint64_t number = request.run.value_or(0);
  do {
    runs.push_back(comparison(given, simulator, request, number).run());
    ++number;
  } while (!request.run && number < runs.front().runs && !interrupt_watch::requested());
  if (request.run && *request.run >= runs.front().runs) {
    throw failure(exit_usage,
                  fmt::format("{} holds {}, and none has the number {}",
                              request.recording,
                              counted(runs.front().runs, "run"),
                              *request.run + 1));
  }
  return runs;
}

} // namespace tilesim::tools::diff
