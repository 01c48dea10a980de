// tilesim litmus: which outcomes a memory model allows for a small program.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/arguments.hpp"
#include "tools/command.hpp"
#include "tools/failure.hpp"
#include "tools/files.hpp"
#include "tools/litmus_suite.hpp"
#include "tools/litmus_text.hpp"
#include "tools/terminal.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <thread>
#include <unistd.h>

namespace tilesim::driver {
namespace {

struct litmus_options {
  std::vector<std::string> models;
  std::uint32_t bound = 1;
  std::uint64_t limit = 0; ///< 0: as the library has it
  std::string table;
  unsigned jobs = 0; ///< 0: as many as the machine runs at once
  bool verbose = false;
  text_options text;
};

constexpr const char* footer =
    "A file is a PTX litmus test in the published format, or a tile litmus test; docs/litmus.md\n"
    "has both. Of a folder all *.litmus below it are run, a line each.\n"
    "\n"
    "Exit status: 0 as expected, or nothing was expected; 1 something differs from what is\n"
    "expected; 3 a limit was reached; 64 the command line is wrong; 65 a file does not parse;\n"
    "70 a bug of tilesim's.\n"
    "\n"
    "examples:\n"
    "  tilesim litmus MP.litmus                       outcomes, verdict, races\n"
    "  tilesim litmus --explain MP.litmus             an execution, or why there is none\n"
    "  tilesim litmus --model ptx,sc MP.litmus        two models, compared\n"
    "  tilesim litmus --bound 3 spinlock.litmus       loops of up to three iterations\n"
    "  tilesim litmus tests/litmus                    a folder, against the files' expectations\n"
    "  tilesim litmus --expect verdicts.csv ptx/      a folder, against a table of verdicts\n";

void add_options(CLI::App& app, litmus_options& o) {
  app.add_option("--model", o.models, "ptx (default), sc, or both with a comma between")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--bound", o.bound, "how often a loop's body is run in a row at most (1)")
      ->check(CLI::Range(1U, 1000U));
  app.add_option("--limit", o.limit, "give up after so many candidate executions (50 million)")
      ->check(CLI::PositiveNumber);
  app.add_flag("--outcomes", o.text.outcomes, "final states of all variables and registers");
  app.add_flag("--explain",
               o.text.explain,
               "show an execution; or, of each candidate, the axiom that forbids it");
  app.add_option("--expect", o.table, "a table of verdicts for the tests of a folder");
  app.add_option("--jobs", o.jobs, "tests run at once (as many as the machine has threads)")
      ->check(CLI::Range(1U, 1024U));
  app.add_flag("-v,--verbose", o.verbose, "the whole report of each test of a folder");
  app.footer(footer);
}

litmus_request request_of(const litmus_options& o) {
  litmus_request request;
  for (const auto& name : o.models) {
    const memmodel::model* m = memmodel::find_model(name);
    if (m == nullptr)
      throw failure(exit_usage, fmt::format("unknown model '{}'; there are ptx and sc", name));
    if (std::ranges::find(request.models, m) == request.models.end())
      request.models.push_back(m);
  }
  request.limits.bound = o.bound;
  if (o.limit != 0)
    request.limits.candidates = request.limits.traces = o.limit;
  request.explain = o.text.explain;
  return request;
}

expected_table table_of(const litmus_options& o,
                        const litmus_request& request,
                        const std::vector<std::string>& words) {
  if (o.table.empty())
    return {};
  if (words.size() != 1 || !std::filesystem::is_directory(words[0]))
    throw failure(exit_usage,
                  "--expect goes with one folder: its first column has paths below that folder");
  if (!request.models.empty() &&
      std::ranges::find(request.models, &memmodel::ptx()) == request.models.end())
    throw failure(exit_usage, "--expect has verdicts of ptx; add it to --model");
  const auto text = read_file(o.table);
  if (!text)
    throw failure(exit_usage, fmt::format("{}: cannot be read", o.table));
  return read_table(o.table, *text);
}

void print(std::FILE* stream, const std::string& coloured) {
  const std::string text = for_terminal(coloured, fileno(stream));
  std::fwrite(text.data(), 1, text.size(), stream);
}

std::size_t longest(const std::vector<suite_file>& files) {
  std::size_t most = 0;
  for (const suite_file& f : files)
    most = std::max(most, f.path.size());
  return most;
}

} // namespace

int litmus_command(const std::vector<std::string>& words) {
  CLI::App app("Runs litmus tests: which outcomes the memory model allows.", "litmus");
  set_usage(app, "usage: tilesim litmus [options] FILE.litmus|FOLDER...");
  litmus_options options;
  add_options(app, options);
  const auto named = parse_words(app, words);
  if (named.empty())
    throw failure(
        exit_usage,
        "no litmus test; write 'tilesim litmus FILE.litmus', see 'tilesim litmus --help'");
  const litmus_request request = request_of(options);
  const expected_table table = table_of(options, request, named);
  std::vector<suite_file> files = files_named(named);
  expect_of(files, named.front(), table);
  const bool whole = options.verbose || files.size() == 1 ||
                     std::ranges::none_of(named, [](const std::string& word) {
                       return std::filesystem::is_directory(word);
                     });
  const std::size_t width = longest(files);
  suite_counts counts;
  const unsigned jobs = options.jobs != 0 ? options.jobs : std::thread::hardware_concurrency();
  run_suite(files, request, jobs, [&](const litmus_report& r) {
    if (whole && counts.tests > 0)
      print(stdout, "\n");
    print(stdout, whole ? to_text(r, options.text) : to_line(r, width));
    std::fflush(stdout);
    print(stderr, errors_text(r));
    counts.add(r);
  });
  if (files.size() > 1)
    print(stdout, (whole ? "\n" : "") + counts.text() + "\n");
  return counts.exit_code();
}

} // namespace tilesim::driver
