// tilesim fuzz: random tile programs with one right result.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/exit_codes.hpp"
#include "tools/cli/arguments.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/number_checks.hpp"
#include "tools/cli/terminal.hpp"
#include "tools/fuzz/against.hpp"
#include "tools/fuzz/generate.hpp"
#include "tools/fuzz/gpu_build.hpp"
#include "tools/fuzz/log.hpp"
#include "tools/fuzz/minimise.hpp"
#include "tools/fuzz/reduce.hpp"
#include "tools/fuzz/write.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <limits>
#include <system_error>

namespace tilesim::tools {
namespace {

struct fuzz_options {
  std::string seed = "0"; ///< or the label of a smaller program
  std::uint64_t count = 1;
  std::uint64_t per_file = 0; ///< 0: as suits what is done
  std::size_t jobs = 0;
  fuzz::wishes wishes;
  std::string folder;
  std::string program; ///< of --gpu-build
  std::string arch = "sm_90";
  std::string log; ///< of --against
  std::string minimise;
  std::string failing;
};

constexpr const char* help_text =
    "Each program is well defined: nothing overflows, no race, nothing unspecified is looked at,\n"
    "and no result depends on an order that is open; without --approximate every bit of its\n"
    "results is determined. It prints a line for each buffer that it writes: the seed, the\n"
    "buffer, a hash of all values and the first four. Two that run it are compared by that:\n"
    "one, or many in a GPU program that needs nothing else where it runs.\n"
    "Exit status: 0; 1 something differs; 3 the log is not whole; 64 the command line; 65 a log\n"
    "that cannot be used, or no program compiles; 69 no compiler, no GPU.\n"
    "\n"
    "examples:\n"
    "  tilesim fuzz --seed 7\n"
    "  tilesim fuzz --seed 1000 --count 200 --per-file 20 -o programs\n"
    "  tilesim fuzz --seed 0 --count 2000 --gpu-build prog    # no GPU is needed\n"
    "  ./prog > gpu.log                                       # there\n"
    "  tilesim fuzz --against gpu.log                         # anywhere\n"
    "  tilesim fuzz --minimise 7 -o .                         # on a machine with a GPU\n"
    "  tilesim fuzz --minimise 7 --failing ./still-wrong.sh   # gets the path of a source\n"
    "  tilesim fuzz --minimise 7 --gpu-build smaller          # all smaller ones, for a GPU "
    "elsewhere\n"
    "  tilesim fuzz --seed 7.12                               # the smaller one 12\n";

std::string hunts_text() {
  std::string text =
      "programs have what a known fault of NVIDIA's compiler 13.4 needs; otherwise none "
      "has; once for each:";
  for (const fuzz::hunt& h : fuzz::hunts) {
    text += fmt::format("{} {} ({})", &h == fuzz::hunts.data() ? "" : ",", h.name, h.what);
  }
  return text;
}

std::vector<std::string> names_of_hunts() {
  std::vector<std::string> names;
  std::ranges::transform(fuzz::hunts, std::back_inserter(names), &fuzz::hunt::name);
  return names;
}

void add_options(CLI::App& app, fuzz_options& o) {
  app.add_option(
      "--seed",
      o.seed,
      "of the first program; those behind it have the next (0). 7.3: the smaller one 3 of 7");
  app.add_option("--count", o.count, "how many programs (1)")->check(whole_number(1, 1'000'000));
  app.add_option("--per-file", o.per_file, "how many of them in one source (1; 32 to run many)")
      ->check(whole_number(1, 1000));
  app.add_option("--operations", o.wishes.operations, "how many a kernel has, at least (24)")
      ->check(whole_number(1, 1000));
  app.add_flag("--approximate",
               o.wishes.approximate,
               "also operations whose last bits are open: exp, sin, sums of floats");
  app.add_option_function<std::string>(
         "--hunt",
         [&o](const std::string& fault) { o.wishes.*fuzz::hunt_named(fault)->wished = true; },
         hunts_text())
      ->trigger_on_parse()
      ->check(CLI::IsMember(names_of_hunts()));
  app.add_option(
      "-o", o.folder, "the folder to write fuzz-SEED.cu to; without it, to standard output");
  app.add_option("--gpu-build", o.program, "compile them into one program for a GPU; no -o");
  app.add_option("--arch", o.arch, "that GPU's architecture (sm_90)");
  app.add_option("--against", o.log, "run the programs of that program's output here; compare");
  app.add_option("--minimise", o.minimise, "the program that differs: take away what can go");
  app.add_option("--failing",
                 o.failing,
                 "with --minimise: this command, with a source's path behind it, ends with 0 where "
                 "it still differs. Without: built, run on this machine's GPU, compared");
  app.add_option("--jobs", o.jobs, "compilers and programs at a time (one for each processor)")
      ->check(whole_number(1, 1024));
  app.footer(help_text);
}

void check_options(const CLI::App& app, const fuzz_options& o) {
  const auto not_with = [&](const char* one, std::initializer_list<const char*> others) {
    for (const char* const other : others) {
      if (app.count(one) != 0 && app.count(other) != 0) {
        throw failure(exit_usage, fmt::format("{} does not go with {}", one, other));
      }
    }
  };
  not_with("--against",
           {"--seed",
            "--count",
            "--operations",
            "--approximate",
            "--hunt",
            "--gpu-build",
            "--arch",
            "--minimise",
            "--failing"});
  not_with("--minimise", {"--seed", "--count"});
  not_with("--gpu-build", {"-o", "--failing"});
  if (app.count("--failing") != 0 && app.count("--minimise") == 0) {
    throw failure(exit_usage, "--failing needs --minimise SEED");
  }
  if (app.count("--arch") != 0 && app.count("--gpu-build") == 0) {
    throw failure(exit_usage, "--arch needs --gpu-build PROG");
  }
  const auto seed = number<std::uint64_t>(o.seed);
  if (o.count > 1 && !seed) {
    throw failure(exit_usage, "--count needs a seed that is a number");
  }
  if (o.count > 1 && *seed > std::numeric_limits<std::uint64_t>::max() - (o.count - 1)) {
    throw failure(exit_usage,
                  fmt::format("there are no {} seeds from {} on: the last one is {}",
                              o.count,
                              *seed,
                              std::numeric_limits<std::uint64_t>::max()));
  }
}

std::string command_of(const fuzz_options& o, const std::string& first, std::uint64_t count) {
  return fmt::format("tilesim fuzz --seed {}{}{}",
                     first,
                     count == 1 ? "" : fmt::format(" --count {0} --per-file {0}", count),
                     fuzz::to_words(o.wishes));
}

/// Those of `count` seeds, behind so many others.
std::vector<fuzz::program>
programs_of(const fuzz_options& o, std::uint64_t behind, std::uint64_t count) {
  std::vector<fuzz::program> programs;
  for (std::uint64_t i = behind; i < behind + count; ++i) {
    programs.push_back(i == 0 ? fuzz::program_of(o.seed, o.wishes)
                              : fuzz::generate(*number<std::uint64_t>(o.seed) + i, o.wishes));
  }
  return programs;
}

void make_folders(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw failure(exit_unavailable, fmt::format("{}: {}", folder, error.message()));
  }
}

void write_sources(const fuzz_options& o) {
  const std::uint64_t each = std::max<std::uint64_t>(1, o.per_file);
  if (o.folder.empty() && o.count > each) {
    throw failure(exit_usage,
                  "several sources need a folder: -o FOLDER, or --per-file as many as --count");
  }
  if (!o.folder.empty()) {
    make_folders(o.folder);
  }
  for (std::uint64_t done = 0; done < o.count; done += each) {
    const auto programs = programs_of(o, done, std::min(each, o.count - done));
    const std::string label = programs.front().label();
    const std::string text = fuzz::to_source(programs, command_of(o, label, programs.size()));
    if (o.folder.empty()) {
      print_out(text);
    } else {
      write_output(fmt::format("{}/fuzz-{}.cu", o.folder, label), text);
    }
  }
}

int build_for_gpu(const fuzz_options& o) {
  check_outputs({o.program}, {});
  std::vector<fuzz::program> programs;
  if (o.minimise.empty()) {
    programs = programs_of(o, 0, o.count);
  } else {
    // The program itself is among them: does it differ there at all?
    programs = {fuzz::program_of(o.minimise, o.wishes)};
    std::ranges::move(fuzz::smaller_ones(programs.front()), std::back_inserter(programs));
  }
  fuzz::gpu_request request{.output = o.program, .arch = o.arch, .jobs = o.jobs};
  if (o.per_file != 0) {
    request.per_file = o.per_file;
  }
  const auto without = fuzz::build_for_gpu(programs, o.wishes, request);
  print_out(fmt::format("{} programs; run './PROG > LOG' on a GPU, then 'tilesim fuzz --against "
                        "LOG'\n",
                        programs.size() - without.size()));
  return without.empty() ? exit_clean : exit_findings;
}

int compare(const fuzz_options& o) {
  const auto text = read_file(o.log);
  if (!text) {
    throw failure(exit_usage, fmt::format("{}: no such file", o.log));
  }
  fuzz::run_request request{.jobs = o.jobs, .folder = o.folder};
  if (o.per_file != 0) {
    request.per_file = o.per_file;
  }
  return fuzz::compare_with_log(o.log, fuzz::parse_log(o.log, *text), request);
}

/// With -o, the file holds the smallest so far while the search goes on.
void write_minimised(const fuzz_options& o) {
  if (!o.folder.empty()) {
    make_folders(o.folder);
  }
  const fuzz::program whole = fuzz::program_of(o.minimise, o.wishes);
  const std::string file = fmt::format("{}/fuzz-{}.cu", o.folder, whole.seed);
  const auto text_of = [&](fuzz::program p) {
    const std::string command = command_of(o, p.label(), 1);
    p.path.clear(); // a person reads it
    return fuzz::to_source({p}, command);
  };
  fuzz::minimise_request request{.command = o.failing, .jobs = o.jobs};
  if (!o.folder.empty()) {
    request.taken = [&](const fuzz::program& p) { write_output(file, text_of(p)); };
  }
  const fuzz::program p = fuzz::minimise(whole, o.wishes, request);
  if (o.folder.empty()) {
    print_out(text_of(p));
    return;
  }
  write_output(file, text_of(p));
  print_out(fmt::format("{}: {} statements\n", file, fuzz::size_of(p)));
}

} // namespace

int fuzz_command(const std::vector<std::string>& words) {
  CLI::App app("Random tile programs that have one right result.", "fuzz");
  set_usage(
      app,
      "usage: tilesim fuzz [--seed N] [--count N] [--per-file N] [options] [-o FOLDER]\n"
      "       tilesim fuzz [--seed N] [--count N] [options] --gpu-build PROG\n"
      "       tilesim fuzz --against LOG\n"
      "       tilesim fuzz --minimise SEED [--failing COMMAND | --gpu-build PROG] [-o FOLDER]");
  fuzz_options options;
  add_options(app, options);
  if (const auto others = parse_words(app, words); !others.empty()) {
    throw failure(exit_usage,
                  fmt::format("'{}': 'fuzz' takes options alone", shortened(others.front())));
  }
  check_options(app, options);
  if (!options.log.empty()) {
    return compare(options);
  }
  if (!options.program.empty()) {
    return build_for_gpu(options);
  }
  if (!options.minimise.empty()) {
    write_minimised(options);
  } else {
    write_sources(options);
  }
  return exit_clean;
}

} // namespace tilesim::tools
