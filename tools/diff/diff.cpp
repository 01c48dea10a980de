// tilesim diff: a program on a GPU, compared with its simulation, launch by launch.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/exit_codes.hpp"
#include "tools/build/cache.hpp"
#include "tools/build/start.hpp"
#include "tools/check/run.hpp"
#include "tools/cli/arguments.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/number_checks.hpp"
#include "tools/cli/process.hpp"
#include "tools/cli/run_options.hpp"
#include "tools/cli/terminal.hpp"
#include "tools/diff/comparison.hpp"
#include "tools/diff/record.hpp"
#include "tools/diff/report.hpp"
#include "tools/diff/two_recordings.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

namespace tilesim::tools {

namespace {

struct diff_options {
  std::string against;
  std::string json;
  std::string html;
  std::uint64_t run = 0;
  double gpu_timeout = 300;
  double search_time = 5;
  bool verbose = false;
};

void add_options(CLI::App& app, diff_options& o) {
  app.add_option("--against", o.against, "the recording to compare with, which a GPU made");
  app.add_option("--gpu-timeout",
                 o.gpu_timeout,
                 "without --against: seconds that the program may take on the device (300)")
      ->check(positive_seconds());
  app.add_option("--run", o.run, "of a recording of several runs: this one alone, from 1")
      ->check(whole_number(1));
  app.add_option(
         "--search-time",
         o.search_time,
         "of a launch whose results depend on who comes first: seconds that an execution is "
         "looked for which gives them, at most (5; of all launches, four times as many)")
      ->check(positive_seconds());
  app.add_option(
      "--html", o.html, "write the comparison as an HTML page to a file; - for standard output");
  app.add_option("--json", o.json, "write the comparison as JSON to a file; - for standard output");
  app.add_flag("-v,--verbose", o.verbose, "print the commands that are run");
  app.footer(
      "Every launch is simulated from the memory that the recording has before it, and compared\n"
      "behind it, bit for bit: the first launch that differs is named, with the elements, and the\n"
      "block and line that wrote them. --arith hardware unless another is given. Where operations\n"
      "with more than one right result took part, what they may be off is derived from the values\n"
      "that went in. All runs of a recording are compared.\n"
      "Races are looked for in launches that differ; with --races in all, raw accesses (p[i])\n"
      "included, whether they differ or not.\n"
      "Exit status: 0 they agree, bit for bit or within these bounds; 1 they differ, or the\n"
      "simulator has findings; 3 it could not be decided: the input differs, or errors may have\n"
      "turned a decision; 69 no device or no compiler, where no recording is given.\n"
      "\n"
      "examples:\n"
      "  tilesim gpu build saxpy.cu -o saxpy           # NVIDIA's compiler, no GPU\n"
      "  ./saxpy                                       # on the GPU machine: writes saxpy.rec\n"
      "  tilesim diff saxpy.cu --against saxpy.rec     # anywhere\n"
      "  tilesim diff saxpy.cu                         # all of it, on a machine with a GPU\n"
      "  tilesim diff saxpy.cu --against saxpy.rec --html d.html   # the same as a page\n"
      "  tilesim diff train.py --against train.rec     # recorded by "
      "tilesim.record(\"train.rec\")\n"
      "  tilesim diff h100.rec h200.rec                # two GPUs, drivers or compilers\n");
}

void refuse_outputs(const diff_options& options,
                    const std::vector<std::string>& sources,
                    const std::vector<std::string>& recordings) {
  if (options.json == "-" && options.html == "-") {
    throw failure(exit_usage, "--json and --html share standard output; give one of them a file");
  }
  for (const std::string& output : {options.json, options.html}) {
    if (!output.empty() && output != "-") {
      check_outputs({output}, sources, recordings);
    }
  }
}

void refuse_impossible(const arguments& given, const diff_options& options) {
  if (given.request.objects_only || !given.request.output.empty()) {
    throw failure(exit_usage, "'diff' runs the program, so it takes neither -c nor -o");
  }
  refuse_outputs(options, given.request.sources, {options.against});
  if (options.against.empty() && is_python(given)) {
    throw failure(exit_usage,
                  "a program in Python is compared with a recording: --against FILE.rec, which "
                  "tilesim.record(\"FILE.rec\") makes in it on a machine with a GPU");
  }
}

bool is_recording_name(const std::string& word) {
  return !word.starts_with('-') && word.ends_with(".rec");
}

/// The words in front of `--` that are neither an option of `app`'s nor its value.
std::vector<std::string> files_in(const CLI::App& app, const std::vector<std::string>& words) {
  const std::vector<std::string> own(words.begin(), std::ranges::find(words, "--"));
  return words_without(options_so_far(app), own);
}

bool is_program_name(const std::string& word) {
  return is_source_name(word) || word.ends_with(".py");
}

/// Are recordings compared with each other? Nothing else is there to be compared.
bool are_recordings(const std::vector<std::string>& files) {
  return std::ranges::any_of(files, is_recording_name) &&
         std::ranges::none_of(files, is_program_name);
}

/// A recording beside a program is what it is to be compared with.
void refuse_recording_as_source(const std::vector<std::string>& files) {
  const auto found = std::ranges::find_if(files, is_recording_name);
  if (found != files.end()) {
    throw failure(exit_usage,
                  fmt::format("{0} is a recording; to compare a program with it write "
                              "'--against {0}'",
                              *found));
  }
}

/// The two recordings that are to be compared.
std::vector<std::string> two_recordings(CLI::App& app, const std::vector<std::string>& words) {
  if (std::ranges::find(words, "--") != words.end()) {
    throw failure(exit_usage,
                  "what stands behind '--' is for a program, and recordings are compared");
  }
  std::vector<std::string> files = parse_words(app, words);
  for (const char* const option : {"--against", "--gpu-timeout", "--search-time"}) {
    if (app.count(option) != 0) {
      throw failure(exit_usage,
                    fmt::format("{} goes with a program; two recordings are compared with each "
                                "other: tilesim diff {} {}",
                                option,
                                files.front(),
                                files.size() > 1 ? files[1] : "OTHER.rec"));
    }
  }
  if (app.count("--run") != 0) {
    throw failure(exit_usage, "of two recordings the first runs are compared: leave out --run");
  }
  if (files.size() == 1) {
    throw failure(exit_usage,
                  fmt::format("one recording alone: write 'tilesim diff FILE.cu --against {0}', or "
                              "'tilesim diff {0} OTHER.rec'",
                              files.front()));
  }
  if (files.size() > 2) {
    throw failure(exit_usage,
                  fmt::format("two recordings are compared with each other, not {}", files.size()));
  }
  return files;
}

int write(const std::vector<diff::report>& runs, const diff_options& options) {
  if (!options.json.empty() && options.json != "-") {
    write_output(options.json, diff::to_json(runs));
  }
  if (!options.html.empty() && options.html != "-") {
    write_output(options.html, diff::to_html(runs));
  }
  print_out(options.json == "-"   ? diff::to_json(runs)
            : options.html == "-" ? diff::to_html(runs)
                                  : for_terminal(diff::to_text(runs), 1));
  return diff::exit_code_of(runs);
}

} // namespace

int diff_command(const std::vector<std::string>& words) {
  CLI::App app("Compares a program's simulation with what a GPU did, launch by launch.", "diff");
  set_usage(app,
            "usage: tilesim diff FILE.cu... [--against FILE.rec] [options] [compiler flags] [-- "
            "program arguments]\n"
            "       tilesim diff FILE.py --against FILE.rec [options] [-- program arguments]\n"
            "       tilesim diff FILE.rec OTHER.rec [options]");
  diff_options options;
  add_options(app, options);
  const auto files = files_in(app, words);
  if (are_recordings(files)) {
    const auto both = two_recordings(app, words);
    refuse_outputs(options, {}, both);
    diff::report found = diff::compare_recordings(both.front(), both.back());
    found.command = to_string(words);
    return write({found}, options);
  }
  if (std::ranges::any_of(files, is_program_name)) {
    refuse_recording_as_source(files);
  }
  const run_options simulator(app, run_options::command::run);
  const auto given = parse_arguments(app, words);
  refuse_impossible(given, options);
  const std::string command = to_string(words);
  std::optional<temporary_file> recorded;
  if (options.against.empty()) {
    recorded.emplace(cache::open(), ".rec");
    diff::record_here(given, recorded->path, options.gpu_timeout, options.verbose);
    options.against = recorded->path;
  }
  const std::vector<const CLI::Option*> own{app.get_option("--against"),
                                            app.get_option("--gpu-timeout"),
                                            app.get_option("--search-time"),
                                            app.get_option("--run"),
                                            app.get_option("--html"),
                                            app.get_option("--json"),
                                            app.get_option("--verbose")};
  diff::comparison_request request{.recording = options.against,
                                   .program = to_string(words_without(own, words)),
                                   .no_arith = app.count("--arith") == 0,
                                   .verbose = options.verbose,
                                   .search_seconds = options.search_time,
                                   .races = app.count("--races") != 0};
  if (options.run != 0) {
    request.run = options.run - 1;
  }
  std::vector<diff::report> found = diff::compare(given, simulator.values(), request);
  for (diff::report& r : found) {
    if (recorded) {
      r.other.file = "this machine's device";
    }
    r.command = command;
  }
  if (interrupt_watch::requested()) {
    return exit_interrupted;
  }
  return write(found, options);
}

} // namespace tilesim::tools
