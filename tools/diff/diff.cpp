// tilesim diff: a program on a GPU, compared with its simulation, launch by launch.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/option_table.hpp"
#include "sim/contract/printable.hpp"
#include "sim/contract/standard_error.hpp"
#include "tools/build/cache.hpp"
#include "tools/build/compile.hpp"
#include "tools/check/run.hpp"
#include "tools/cli/arguments.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/process.hpp"
#include "tools/cli/run_options.hpp"
#include "tools/cli/terminal.hpp"
#include "tools/diff/feed.hpp"
#include "tools/diff/report.hpp"

#define XXH_INLINE_ALL
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <xxhash.h>

namespace tilesim::driver {

using sim::operator""_option;

namespace {

struct diff_options {
  std::string against;
  std::string json;
  bool verbose = false;
};

void add_options(CLI::App& app, diff_options& o) {
  app.add_option("--against", o.against, "the recording to compare with, which a GPU made")
      ->required();
  app.add_option("--json", o.json, "write the comparison as JSON to a file; - for standard output");
  app.add_flag("-v,--verbose", o.verbose, "print the commands that are run");
  app.footer(
      "Every launch is simulated from the memory that the recording has before it, and compared\n"
      "behind it, bit for bit: the first launch that differs is named, with the elements, and the\n"
      "block and line that wrote them. --arith hardware unless another is given.\n"
      "Exit status: 0 they agree; 1 they differ, or the simulator has findings; 3 it could not be\n"
      "decided: the input differs, or operations with more than one right result took part.\n"
      "\n"
      "examples:\n"
      "  tilesim gpu build saxpy.cu -o saxpy           # NVIDIA's compiler, no GPU\n"
      "  ./saxpy                                       # on the GPU machine: writes saxpy.rec\n"
      "  tilesim diff saxpy.cu --against saxpy.rec     # anywhere\n");
}

/// What one run of the program gave.
struct compared_run {
  program_run run;
  std::string lines;
};

class comparison {
public:
  comparison(arguments given, nlohmann::json simulator, const diff_options& o)
      : given_(std::move(given))
      , simulator_(std::move(simulator))
      , options_(o)
      , feed_(cache::open(), ".feed") {}
  ~comparison() { std::filesystem::remove(contents_path(), ignored_); }
  comparison(const comparison&) = delete;
  comparison& operator=(const comparison&) = delete;

  diff::report run() {
    const recorded_run_of recorded = read_recording();
    const compared_run first = simulate({});
    diff::report found = judge(recorded, first);
    // Who wrote what differs, and whether it races, costs time: only where something is wrong.
    if (found.exit_code() != exit_clean && !interrupt_watch::requested()) {
      const compared_run second = simulate({.detailed = true});
      found = judge(recorded, second);
      try_other_schedules(found, recorded);
    }
    return found;
  }

private:
  using recorded_run_of = diff::recorded_run;

  struct way {
    bool detailed = false;         ///< also who wrote what, and whether it races
    std::uint64_t random_seed = 0; ///< of a random schedule; 0: as the options say
  };

  /// Where atomic updates took part another order may give what the other machine had.
  void try_other_schedules(diff::report& found, const recorded_run_of& recorded) {
    constexpr std::uint64_t schedules = 4;
    const bool needed = std::ranges::any_of(found.launches, [](const diff::compared_launch& l) {
      return !l.buffers.empty() && !l.inexact.empty() && !l.computes_inexactly();
    });
    for (std::uint64_t seed = 1; needed && seed <= schedules && !interrupt_watch::requested();
         ++seed) {
      diff::note_varying(found, judge(recorded, simulate({.random_seed = seed})));
    }
  }

  [[nodiscard]] std::string contents_path() const { return feed_.path + ".contents"; }

  recorded_run_of read_recording() {
    try {
      const gpu::recording_file file(options_.against);
      recorded_run_of recorded = diff::write_feed(file, feed_.path);
      return recorded;
    } catch (const gpu::bad_recording& e) {
      throw printed_failure(exit_input, e.what());
    } catch (const std::system_error& e) {
      throw failure(exit_usage, fmt::format("{}: {}", options_.against, e.code().message()));
    }
  }

  compared_run simulate(const way& how) {
    const temporary_file lines(cache::open(), ".comparison");
    std::filesystem::remove(lines.path); // the program makes it: a process that it starts does not
    run_request request;
    request.words = program_words(given_);
    request.options = simulator_;
    request.options["feed"_option] = sim::printable(feed_.path);
    request.options["comparison"_option] = sim::printable(lines.path);
    if (how.random_seed != 0) {
      request.options["schedule"_option] = "random";
      request.options["seed"_option] = how.random_seed;
    }
    request.options["compare_details"_option] = how.detailed;
    request.options["repeatable"_option] = true;
    request.options["races"_option] = how.detailed;
    if (!request.options.contains("arith"_option)) {
      request.options["arith"_option] = "hardware";
    }
    build_request build = given_.request;
    build.hooks = how.detailed;
    request.program = builder(std::move(build), options_.verbose).program();
    recorded_input input;
    const interrupt_watch watch;
    progress said(how.detailed ? "looking for who wrote what differs" : "simulating");
    compared_run result;
    result.run = run_checked(request, input, [&said] { said.tick(); });
    result.lines = read_file(lines.path).value_or("");
    if (interrupt_watch::requested()) {
      result.run.status = exit_interrupted;
    }
    return result;
  }

  diff::report judge(const recorded_run_of& recorded, const compared_run& simulated) {
    diff::report r;
    r.sources = given_.request.sources;
    r.other = recorded.where;
    r.remarks = recorded.remarks;
    r.status_here = simulated.run.status;
    r.status_there = recorded.status;
    r.launches_there = recorded.launches;
    diff::read_comparison(r, simulated.lines);
    r.printed_here = simulated.run.output.first_not_in(recorded.output);
    r.printed_there = recorded.output.first_not_in(simulated.run.output);
    if (simulated.run.report.is_object() && simulated.run.report.contains("findings")) {
      for (const auto& f : simulated.run.report.at("findings")) {
        if (checked_finding found = reported_finding(f); !found.note) { // memory never freed, …
          r.findings.push_back(std::move(found));
        }
      }
    }
    if (recorded.source_hash != 0 && recorded.source_hash != source_hash()) {
      r.remarks.push_back(fmt::format("{} is a recording of another text than {}",
                                      options_.against,
                                      fmt::join(r.sources, " ")));
    }
    for (const gpu::error_event& e : recorded.errors) {
      r.remarks.push_back(fmt::format("on the GPU, {} returned {}", e.function, e.name));
    }
    r.step = to_string(command_line(r.sources));
    return r;
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
  const diff_options& options_;
  temporary_file feed_;
  std::error_code ignored_;
};

} // namespace

int diff_command(const std::vector<std::string>& words) {
  CLI::App app("Compares a program's simulation with what a GPU did, launch by launch.", "diff");
  set_usage(app,
            "usage: tilesim diff FILE.cu... --against FILE.rec [options] [compiler flags] [-- "
            "program arguments]");
  diff_options options;
  add_options(app, options);
  const run_options simulator(app, run_options::command::run);
  auto given = parse_arguments(app, words);
  if (given.request.objects_only || !given.request.output.empty()) {
    throw failure(exit_usage, "'diff' runs the program, so it takes neither -c nor -o");
  }
  if (!options.json.empty() && options.json != "-") {
    check_outputs({options.json}, given.request.sources);
  }
  const std::string command = to_string(words);
  diff::report found = comparison(std::move(given), simulator.values(), options).run();
  found.command = command;
  if (interrupt_watch::requested()) {
    return exit_interrupted;
  }
  if (options.json == "-") {
    print_out(diff::to_json(found));
  } else {
    if (!options.json.empty()) {
      write_output(options.json, diff::to_json(found));
    }
    print_out(for_terminal(diff::to_text(found), 1));
  }
  return found.exit_code();
}

} // namespace tilesim::driver
