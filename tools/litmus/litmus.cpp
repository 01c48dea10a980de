// tilesim litmus: which outcomes a memory model allows for a small program.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/standard_error.hpp"
#include "tools/cli/arguments.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/graphviz.hpp"
#include "tools/cli/number_checks.hpp"
#include "tools/cli/process.hpp"
#include "tools/cli/terminal.hpp"
#include "tools/litmus/dot.hpp"
#include "tools/litmus/gpu_build.hpp"
#include "tools/litmus/json.hpp"
#include "tools/litmus/observed.hpp"
#include "tools/litmus/suite.hpp"
#include "tools/litmus/text.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <thread>
#include <unistd.h>

namespace tilesim::tools {
namespace {

struct litmus_options {
  std::vector<std::string> models;
  std::uint32_t bound = 1;
  std::uint64_t limit = 0; ///< 0: as the library has it
  std::string table;
  unsigned jobs = 0; ///< 0: as many as the machine runs at once
  bool verbose = false;
  bool json = false;
  text_options text;
  std::string dot; ///< files to draw to; "-": standard output
  std::string svg;
  std::string show = "condition";
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
    "  tilesim litmus --svg MP.svg MP.litmus          the same as a picture\n"
    "  tilesim litmus --model ptx,sc MP.litmus        two models, compared\n"
    "  tilesim litmus --bound 3 spinlock.litmus       loops of up to three iterations\n"
    "  tilesim litmus tests/litmus                    a folder, against the files' expectations\n"
    "  tilesim litmus --expect verdicts.csv ptx/      a folder, against a table of verdicts\n"
    "  tilesim litmus --gpu-build FOLDER -o PROG      the tests as a program for a GPU\n"
    "  tilesim litmus --observed LOG FOLDER           what that saw, judged by the model\n";

void add_options(CLI::App& app, litmus_options& o) {
  app.add_option(
         "--model", o.models, "ptx (default), ptx-values, sc, or several with commas between")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--bound", o.bound, "how often a loop's body is run in a row at most (1)")
      ->check(whole_number(1, 1000));
  app.add_option("--limit", o.limit, "give up after so many candidate executions (50 million)")
      ->check(whole_number(1));
  app.add_flag("--outcomes", o.text.outcomes, "final states of all variables and registers");
  app.add_flag("--json", o.json, "all of it as JSON; docs/litmus.md has the schema");
  app.add_flag("--explain",
               o.text.explain,
               "show an execution; or, of each candidate, the axiom that forbids it");
  app.add_option("--expect", o.table, "a table of verdicts for the tests of a folder");
  app.add_option("--jobs", o.jobs, "tests run at once (as many as the machine has threads)")
      ->check(whole_number(1, 1024));
  app.add_option("--dot", o.dot, "draw the execution for Graphviz; -: to standard output");
  app.add_option("--svg", o.svg, "draw it as SVG, by Graphviz's 'dot'");
  app.add_option("--show", o.show, "what to draw: condition (default), race or hang")
      ->check(CLI::IsMember({"condition", "race", "hang"}));
  app.add_flag(
      "-v,--verbose", o.verbose, "the whole report of each test of a folder, as with --explain");
  app.footer(footer);
}

bool draws(const litmus_options& o) {
  return !o.dot.empty() || !o.svg.empty();
}

litmus_request request_of(const litmus_options& o) {
  litmus_request request;
  for (const auto& name : o.models) {
    const memmodel::model* m = memmodel::find_model(name);
    if (m == nullptr) {
      throw failure(exit_usage,
                    fmt::format("unknown model '{}'; there are ptx, ptx-values and sc", name));
    }
    if (std::ranges::find(request.models, m) == request.models.end()) {
      request.models.push_back(m);
    }
  }
  request.limits.bound = o.bound;
  if (o.limit != 0) {
    request.limits.candidates = request.limits.traces = o.limit;
  }
  request.explain = o.text.explain || draws(o);
  return request;
}

expected_table table_of(const litmus_options& o,
                        const litmus_request& request,
                        const std::vector<std::string>& words) {
  if (o.table.empty()) {
    return {};
  }
  if (words.size() != 1 || !std::filesystem::is_directory(words[0])) {
    throw failure(exit_usage,
                  "--expect goes with one folder: its first column has paths below that folder");
  }
  if (!request.models.empty() &&
      std::ranges::find(request.models, &memmodel::ptx()) == request.models.end()) {
    throw failure(exit_usage, "--expect has verdicts of ptx; add it to --model");
  }
  const auto text = read_text(o.table);
  if (!text) {
    throw failure(exit_usage, fmt::format("{}: cannot be read", o.table));
  }
  return read_table(o.table, *text);
}

std::size_t longest(const std::vector<suite_file>& files) {
  std::size_t most = 0;
  for (const suite_file& f : files) {
    most = std::max(most, f.path.size());
  }
  return most;
}

/// Draws what the first model answers. False if there is nothing to draw.
bool draw(const litmus_report& r, const litmus_options& o) {
  if (r.failed || !r.models.front().limit.empty()) {
    return true; // said already
  }
  const show_what show = o.show == "race"   ? show_what::race
                         : o.show == "hang" ? show_what::hang
                                            : show_what::condition;
  const model_report& m = r.models.front();
  const auto drawn = drawing_of(r, m, show);
  if (!drawn) {
    sim::print_error("{}: error: nothing to draw: {}\n",
                     r.file,
                     show == show_what::race   ? fmt::format("{} has no race", m.model->name)
                     : show == show_what::hang ? "every fair execution ends"
                                               : "no run of the threads gives such a final state");
    return false;
  }
  const std::string dot = to_dot(r, *drawn);
  if (!o.dot.empty()) {
    write_drawing(o.dot, dot);
  }
  if (!o.svg.empty()) {
    write_drawing(o.svg, svg_of(dot));
  }
  return true;
}

/// Prints reports as they come, in the form that was asked for.
class printer {
public:
  printer(const litmus_options& o,
          const std::vector<std::string>& named,
          const std::vector<suite_file>& files)
      : options_(o)
      , silent_(o.dot == "-" || o.svg == "-")
      , several_(files.size() > 1)
      , whole_(o.verbose || o.text.explain || o.text.outcomes || !several_ ||
               std::ranges::none_of(
                   named, [](const auto& word) { return std::filesystem::is_directory(word); }))
      , width_(longest(files))
      , json_(o.text.outcomes, o.text.explain) {
    if (o.json) {
      out(json_writer::begin());
    }
  }

  void take(const litmus_report& r) {
    counts.add(r);
    if (options_.json) {
      out(json_.test(r));
    } else if (whole_) {
      out((counts.tests > 1 ? "\n" : "") + to_text(r, options_.text));
    } else {
      out(to_line(r, width_));
    }
    std::fflush(stdout);
    sim::write_error(for_terminal(errors_text(r)));
  }

  void end() {
    if (options_.json) {
      out(json_writer::end(counts));
    } else if (several_) {
      out((whole_ ? "\n" : "") + counts.text() + "\n");
    }
  }

  suite_counts counts;

private:
  void out(const std::string& text) const {
    if (!silent_) {
      print_out(for_terminal(text, STDOUT_FILENO));
    }
  }

  const litmus_options& options_;
  bool silent_; ///< standard output is for the drawing
  bool several_;
  bool whole_; ///< whole reports, not a line each
  std::size_t width_;
  json_writer json_;
};

} // namespace

int litmus_command(const std::vector<std::string>& words) {
  if (std::ranges::find(words, "--gpu-build") != words.end()) {
    return litmus_gpu_build(words);
  }
  if (std::ranges::any_of(words, [](const std::string& w) {
        return w == "--observed" || w.starts_with("--observed=");
      })) {
    return litmus_observed(words);
  }
  CLI::App app("Runs litmus tests: which outcomes the memory model allows.", "litmus");
  set_usage(app, "usage: tilesim litmus [options] FILE.litmus|FOLDER...");
  litmus_options options;
  add_options(app, options);
  const auto named = parse_words(app, words);
  if (named.empty()) {
    throw failure(
        exit_usage,
        "no litmus test; write 'tilesim litmus FILE.litmus', see 'tilesim litmus --help'");
  }
  const litmus_request request = request_of(options);
  const expected_table table = table_of(options, request, named);
  std::vector<suite_file> files = files_named(named);
  expect_of(files, named.front(), table);
  if (draws(options) && files.size() != 1) {
    throw failure(exit_usage, fmt::format("--dot and --svg draw one test, not {}", files.size()));
  }
  const unsigned jobs = options.jobs != 0 ? options.jobs : std::thread::hardware_concurrency();
  printer out(options, named, files);
  bool all_drawn = true;
  run_suite(files, request, jobs, [&](const litmus_report& r) {
    out.take(r);
    if (draws(options)) {
      all_drawn = draw(r, options);
    }
  });
  out.end();
  const int code = out.counts.exit_code();
  return code == exit_clean && !all_drawn ? exit_findings : code;
}

} // namespace tilesim::tools
