// tilesim explore: every execution of a small program that the memory model allows.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/exploration.hpp"
#include "sim/contract/json_text.hpp"
#include "sim/contract/option_table.hpp"
#include "sim/contract/printable.hpp"
#include "tools/build/cache.hpp"
#include "tools/build/kernel_options.hpp"
#include "tools/build/start.hpp"
#include "tools/check/run.hpp"
#include "tools/cli/arguments.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/graphviz.hpp"
#include "tools/cli/number_checks.hpp"
#include "tools/cli/replay.hpp"
#include "tools/cli/resources.hpp"
#include "tools/cli/run_options.hpp"
#include "tools/explore/cluster.hpp"
#include "tools/explore/knowledge.hpp"
#include "tools/explore/report.hpp"
#include "tools/explore/running.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tilesim::tools {

using namespace sim::option_literals;

namespace {

constexpr std::uint64_t most_bound = 64;
constexpr std::uint64_t most_samples = 1'000'000'000'000;

struct explore_options {
  std::string model = "ptx";
  std::string load_buffering = "on";
  std::vector<std::string> observe;
  std::string expect;
  double time = 0;
  bool no_reduction = false;
  bool no_symmetry = false;
  std::optional<std::size_t> bound;
  std::uint64_t sample = 0;
  std::uint64_t seed = 1;
  std::string dot;
  std::string svg;
  std::size_t draw = 0;
  std::size_t jobs = 0;
  std::string shard;
  std::string known;
  std::string dask;
  std::string json;
  bool verbose = false;
};

void add_count_options(CLI::App& app, explore_options& o) {
  app.add_flag("--no-reduction",
               o.no_reduction,
               "the full counts: also the orders of additions whose results nobody uses");
  app.add_flag("--no-symmetry",
               o.no_symmetry,
               "the full counts: also executions that differ in which of identical blocks does "
               "what");
  app.add_option("--bound",
                 o.bound,
                 "only executions with at most N stale reads, without load buffering; that they "
                 "are all is no proof")
      ->check(whole_number(0, most_bound));
  app.add_option("--sample",
                 o.sample,
                 "draw N executions instead of exploring all, without load buffering: for programs "
                 "that are too large")
      ->check(whole_number(1, most_samples));
  app.add_option("--seed", o.seed, "which executions --sample draws (1)")->check(whole_number(0));
}

void add_options(CLI::App& app, explore_options& o) {
  app.add_option("--model", o.model, "ptx (default), or sc: one access after the other")
      ->check(CLI::IsMember({"ptx", "sc"}));
  app.add_option("--load-buffering",
                 o.load_buffering,
                 "on (default): reads may take what is written later, as PTX allows; off: not")
      ->check(CLI::IsMember({"on", "off"}));
  app.add_option("--observe",
                 o.observe,
                 "of which buffers the final contents are told: names of variables, with commas "
                 "(all that differ)")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option(
      "--expect", o.expect, "a file of states as --json writes it: another set is exit status 1");
  app.add_option("--time", o.time, "stop after so many seconds, with what was found")
      ->check(positive_seconds());
  add_count_options(app, o);
  app.add_option("--dot", o.dot, "draw an execution for Graphviz; - for standard output");
  app.add_option("--svg", o.svg, "draw it as SVG, by Graphviz's 'dot'");
  app.add_option("--draw",
                 o.draw,
                 "one that ends in the N-th state (one that has the first finding, else the first "
                 "*)")
      ->check(whole_number(1));
  app.add_option("--jobs", o.jobs, "so many processes explore (as many as there are processors)")
      ->check(whole_number(1, 1024));
  app.add_option("--shard", o.shard, "I/N: the I-th of N parts alone, which 'tilesim merge' joins");
  app.add_option("--known",
                 o.known,
                 "of a shard: what the shards have come to know before, as 'tilesim merge --known' "
                 "writes it");
  app.add_option(
      "--dask", o.dask, "the address of a Dask cluster's scheduler: its workers explore");
  app.add_flag("--json", o.json, "the report as JSON, on standard output or --json=FILE");
  app.add_flag("-v,--verbose", o.verbose, "print the commands that are run");
  app.footer("Compiler flags are g++'s and nvcc's. States are the final contents of buffers with "
             "what the\n"
             "program prints behind its kernels; a * marks those in which it ends with another "
             "status than\n"
             "0, which Observation counts. docs/explore.md says what is explored.\n"
             "Exit status: 0 complete, nothing found, all as expected; 1 a finding, a status other "
             "than 0,\n"
             "or another set of states; 3 incomplete, also by --bound or --sample, and nothing "
             "found; 64 to 70 as "
             "of 'run'.\n"
             "\n"
             "examples:\n"
             "  tilesim explore lock.cu\n"
             "  tilesim explore --model sc --observe seen store_buffering.cu\n"
             "  tilesim explore --svg lock.svg lock.cu\n"
             "  tilesim explore --load-buffering off --time 60 queue.cu\n"
             "  tilesim explore --bound 2 queue.cu\n"
             "  tilesim explore --sample 1000000 queue.cu\n"
             "  tilesim explore --load-buffering off --shard 2/8 --json=2.json queue.cu\n"
             "  tilesim explore --json=states.json lock.cu; tilesim explore --expect states.json "
             "lock.cu\n");
}

/// The program, compiled so that raw accesses are seen, or in Python.
run_request compiled(arguments a, nlohmann::json simulator, const explore_options& o) {
  run_request r;
  r.options = std::move(simulator);
  r.options["quiet"_option] = true;
  r.options["repeatable"_option] = true;
  r.show = o.json != on_output;
  a.request.hooks = true;
  program_start start = start_of(std::move(a), o.verbose);
  r.program = std::move(start.file);
  r.words = std::move(start.words);
  return r;
}

/// What it comes to; null: the time was over, or Ctrl-C was pressed, before it could tell anything,
/// and `why` says how.
nlohmann::ordered_json told_by(run_request request,
                               sim::exploration_order order,
                               const std::string& dask,
                               std::string& why) {
  std::optional<part_bridge> bridge;
  if (!dask.empty()) {
    bridge.emplace(dask, request, order);
    order.cluster = bridge->socket();
  }
  const temporary_file report(cache::open(), ".json");
  const temporary_file progress(cache::open(), ".progress");
  const sim::progress_page page(progress.path);
  order.report = report.path;
  order.progress = progress.path;
  setenv(sim::exploration_variable, sim::to_text(order).c_str(), 1);
  recorded_input input;
  const interrupt_watch watch;
  exploration_line line(*page);
  limit_time(request, order.seconds, *page);
  const program_run run = run_checked(request, input, [&] { line.tick(); });
  line.erase();
  const std::string text = read_file(report.path).value_or("");
  auto told = sim::read_ordered_json(text);
  if (told.is_object()) {
    return told;
  }
  if (interrupt_watch::requested() && page->executions == 0) {
    throw failure(exit_interrupted, "interrupted before anything was explored");
  }
  if (run.killed || page->telling) {
    why = why_killed(*page, interrupt_watch::requested());
    return nullptr;
  }
  if (const std::string missing = missing_package(run.status, run.errors.last());
      !missing.empty()) {
    throw printed_failure(exit_unavailable, request.show ? "" : missing);
  }
  if (run.status != 0) {
    throw failure(
        exit_program,
        fmt::format("the program ends with status {} before it waits for a kernel", run.status));
  }
  throw failure(exit_incomplete, "nothing to explore: the program has waited for no kernel");
}

/// "2/8": the second of eight.
shard parsed_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  const auto index = number<std::size_t>(text.substr(0, slash));
  const auto of = number<std::size_t>(slash == std::string::npos ? "" : text.substr(slash + 1));
  if (!index || !of || *index == 0 || *index > *of || *of > most_shards) {
    throw failure(exit_usage,
                  fmt::format("--shard takes I/N, the I-th of N parts, as in 2/8; not '{}'",
                              shortened(text)));
  }
  return {*index, *of};
}

bool draws(const explore_options& o) {
  return !o.dot.empty() || !o.svg.empty();
}

/// Before all the work: where is what to be written?
void check_drawing(const explore_options& o, const std::vector<std::string>& sources) {
  if (o.draw != 0 && !draws(o)) {
    throw failure(exit_usage, "--draw says what --dot or --svg draw: give one of them, too");
  }
  const std::vector<std::string> outputs{o.json == on_output ? "" : o.json, o.dot, o.svg};
  const auto on_standard_output = std::ranges::count(outputs, "-") + (o.json == on_output ? 1 : 0);
  if (on_standard_output > 1) {
    throw failure(exit_usage,
                  "one of --json, --dot and --svg goes to standard output: name files for the "
                  "others");
  }
  std::vector<std::string> files;
  std::ranges::copy_if(outputs, std::back_inserter(files), [](const auto& f) { return f != "-"; });
  check_outputs(files, sources);
}

void draw(const explore_report& r, const explore_options& o) {
  if (!draws(o)) {
    return;
  }
  const std::string dot = drawing_of(r, o.draw);
  if (!o.dot.empty()) {
    write_drawing(o.dot, dot);
  }
  if (!o.svg.empty()) {
    write_drawing(o.svg, svg_of(dot));
  }
}

/// A bounded exploration has no load buffering.
void settle_bound(explore_options& o, bool asks_for_buffering) {
  if (!o.bound) {
    return;
  }
  if (o.model == "sc") {
    throw failure(exit_usage, "--bound bounds stale reads, and under --model sc there are none");
  }
  if (asks_for_buffering && o.load_buffering == "on") {
    throw failure(exit_usage,
                  "--bound explores without load buffering: a read that takes what is written "
                  "later passes over nothing; leave out one of the two");
  }
  o.load_buffering = "off";
}

/// Nor are executions drawn that have some.
void settle_sample(explore_options& o, bool asks_for_buffering, bool asks_for_seed) {
  if (o.sample == 0) {
    if (asks_for_seed) {
      throw failure(exit_usage, "--seed says which executions --sample N draws: give it, too");
    }
    return;
  }
  if (asks_for_buffering && o.load_buffering == "on") {
    throw failure(exit_usage,
                  "--sample draws executions without load buffering; leave out one of the two");
  }
  if (o.bound || !o.shard.empty() || !o.dask.empty() || o.jobs > 1) {
    throw failure(exit_usage,
                  "--sample draws from all executions, in one process: leave out --bound, --jobs, "
                  "--shard and --dask (another --seed draws others)");
  }
  o.load_buffering = "off";
}

void check_shards(const explore_options& o) {
  if (o.shard.empty()) {
    if (!o.known.empty()) {
      throw failure(exit_usage, "--known says what shards know: give --shard I/N, too");
    }
    return;
  }
  if (!o.expect.empty()) {
    throw failure(exit_usage,
                  "--expect takes all states, and --shard has some: give it to 'tilesim merge'");
  }
}

void check_cluster(const explore_options& o, const arguments& given) {
  if (o.dask.empty()) {
    return;
  }
  if (!o.shard.empty() || o.jobs > 1) {
    throw failure(exit_usage,
                  "--dask has the workers of the cluster explore, all that there are: leave out "
                  "--jobs and --shard");
  }
  if (is_python(given)) {
    throw failure(exit_usage,
                  "--dask hands a compiled program to workers: explore a program in Python with "
                  "--jobs or --shard");
  }
}

/// What the program is asked.
sim::exploration_order order_of(const explore_options& o, const shard& part) {
  return {.sequential = o.model == "sc",
          .load_buffering = o.load_buffering == "on",
          .reduction = !o.no_reduction,
          .symmetry = !o.no_symmetry,
          .bound = o.bound,
          .samples = o.sample,
          .seed = o.seed,
          .jobs = o.jobs == 0 ? usable_processors() : o.jobs,
          .shard = part.index - 1,
          .shards = part.of,
          .known = o.known.empty() ? "" : std::filesystem::absolute(o.known).string(),
          .pictures = draws(o),
          .seconds = o.time,
          .observe = o.observe,
          .report = {}};
}

/// With what the program comes to, if it comes to anything.
void fill(explore_report& report,
          const run_request& program,
          const sim::exploration_order& order,
          explore_options& options) {
  const auto told = told_by(program, order, options.dask, report.why);
  if (!told.is_null()) {
    report.read(told, !options.observe.empty());
    return;
  }
  report.seconds = options.time;
  options.observe.clear(); // no buffer is known
  options.dot.clear();
  options.svg.clear();
}

/// Which barriers threads of a block wait at, and whether somebody has written what is read, is not
/// looked at in every execution, but in one.
void add_one_run(explore_report& report, run_request program) {
  constexpr std::chrono::seconds long_enough{10};
  if ((!report.complete && !report.within_bound) || interrupt_watch::requested()) {
    return;
  }
  unsetenv(sim::exploration_variable);
  program.show = false;
  program.options["races"_option] = true; // which looks at what has been written, too
  program.deadline = std::chrono::steady_clock::now() + long_enough;
  recorded_input input;
  input.ended = true;
  const interrupt_watch watch;
  const program_run run = run_checked(program, input, {});
  if (run.report.is_object()) {
    report.add_one_run(run.report);
  }
}

} // namespace

int explore_command(const std::vector<std::string>& words) {
  if (words.size() == 2 && words.front() == "--task") {
    return explore_task(words.back());
  }
  CLI::App app("Explores every execution of a small program that the memory model allows.",
               "explore");
  set_usage(app,
            "usage: tilesim explore [options] FILE.cu... [compiler flags] [-- program arguments]\n"
            "       tilesim explore [options] FILE.py [-- program arguments]");
  explore_options options;
  add_options(app, options);
  const auto own = options_so_far(app);
  const run_options simulator(app, run_options::command::check);
  const kernel_options kernels(app);
  auto arguments = parse_arguments(app, words);
  settle_bound(options, app.count("--load-buffering") != 0);
  settle_sample(options, app.count("--load-buffering") != 0, app.count("--seed") != 0);
  check_shards(options);
  check_cluster(options, arguments);
  refuse_output(arguments, "explore");
  check_drawing(options, arguments.request.sources);
  if (!options.expect.empty() && !read_text(options.expect)) { // before all the work
    explore_report().expect_file(options.expect);
  }
  auto simulated = simulator.values();
  kernels.follow(arguments, options.verbose, simulated);
  explore_report report;
  report.source = sim::printable(arguments.request.sources.front());
  report.command = to_string(words_without(own, words));
  report.program = program_hash(arguments, simulated);
  report.sequential = options.model == "sc";
  report.load_buffering = options.load_buffering == "on";
  report.bound = options.bound;
  report.samples = options.sample;
  report.observe = options.observe;
  const shard part = options.shard.empty() ? shard() : parsed_shard(options.shard);
  if (!options.shard.empty()) {
    report.part = part;
    give_known(report, options.known);
  }

  const run_request program = compiled(std::move(arguments), std::move(simulated), options);
  fill(report, program, order_of(options, part), options);
  add_one_run(report, program);
  if (const auto unknown = report.first_unknown(options.observe)) {
    throw failure(exit_usage, *unknown);
  }
  report.expect_file(options.expect);
  draw(report, options);
  if (options.dot != "-" && options.svg != "-") {
    print(report, options.json);
  } else if (!options.json.empty()) {
    write_output(options.json, to_json(report));
  }
  return report.exit_code();
}

} // namespace tilesim::tools
