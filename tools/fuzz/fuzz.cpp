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
#include "tools/fuzz/generate.hpp"
#include "tools/fuzz/write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <system_error>

namespace tilesim::driver {
namespace {

struct fuzz_options {
  std::uint64_t seed = 0;
  std::uint64_t count = 1;
  std::uint64_t per_file = 1;
  unsigned operations = 24;
  bool approximate = false;
  std::string folder;
};

void add_options(CLI::App& app, fuzz_options& o) {
  app.add_option("--seed", o.seed, "of the first program; those behind it have the next (0)")
      ->check(whole_number(0));
  app.add_option("--count", o.count, "how many programs (1)")->check(whole_number(1, 1'000'000));
  app.add_option("--per-file", o.per_file, "how many of them in one source (1)")
      ->check(whole_number(1, 1000));
  app.add_option("--operations", o.operations, "how many a kernel has, at least (24)")
      ->check(whole_number(1, 1000));
  app.add_flag("--approximate",
               o.approximate,
               "also operations whose last bits are open: exp, sin, sums of floats");
  app.add_option(
      "-o", o.folder, "the folder to write fuzz-SEED.cu to; without it, to standard output");
  app.footer(
      "Each program is well defined: nothing overflows, no race, nothing unspecified is looked "
      "at,\n"
      "and no result depends on an order that is open; without --approximate every bit of its\n"
      "results is determined. It prints a line for each buffer that it writes: the seed, the\n"
      "buffer, a hash of all values and the first four. Two that run it are compared by that:\n"
      "\n"
      "  tilesim fuzz --seed 7 -o . && tilesim run fuzz-7.cu > here.txt\n"
      "  nvcc --enable-tile -std=c++20 -arch=sm_90 -fmad=false fuzz-7.cu -o fuzz-7\n"
      "  ./fuzz-7 | diff here.txt -\n"
      "\n"
      "examples:\n"
      "  tilesim fuzz --seed 7\n"
      "  tilesim fuzz --seed 1000 --count 200 --per-file 20 -o programs\n"
      "  tilesim fuzz --operations 5 --seed 3 | less\n");
}

std::string command_of(const fuzz_options& o, std::uint64_t first, std::uint64_t count) {
  return fmt::format("tilesim fuzz --seed {}{}{}{}",
                     first,
                     count == 1 ? "" : fmt::format(" --count {0} --per-file {0}", count),
                     o.operations == 24 ? "" : fmt::format(" --operations {}", o.operations),
                     o.approximate ? " --approximate" : "");
}

} // namespace

int fuzz_command(const std::vector<std::string>& words) {
  CLI::App app("Writes random tile programs that have one right result.", "fuzz");
  set_usage(app, "usage: tilesim fuzz [--seed N] [--count N] [--per-file N] [options] [-o FOLDER]");
  fuzz_options options;
  add_options(app, options);
  if (const auto others = parse_words(app, words); !others.empty()) {
    throw failure(exit_usage,
                  fmt::format("'{}': 'fuzz' takes options alone", shortened(others.front())));
  }
  if (options.folder.empty() && options.count > options.per_file) {
    throw failure(exit_usage,
                  "several sources need a folder: -o FOLDER, or --per-file as many as --count");
  }
  if (!options.folder.empty()) {
    std::error_code error;
    std::filesystem::create_directories(options.folder, error);
    if (error) {
      throw failure(exit_unavailable, fmt::format("{}: {}", options.folder, error.message()));
    }
  }
  for (std::uint64_t done = 0; done < options.count; done += options.per_file) {
    const std::uint64_t first = options.seed + done;
    const std::uint64_t count = std::min(options.per_file, options.count - done);
    std::vector<fuzz::program> programs;
    for (std::uint64_t i = 0; i < count; ++i) {
      programs.push_back(fuzz::generate(
          first + i, {.operations = options.operations, .approximate = options.approximate}));
    }
    const std::string text = fuzz::to_source(programs, command_of(options, first, count));
    if (options.folder.empty()) {
      print_out(text);
    } else {
      write_output(fmt::format("{}/fuzz-{}.cu", options.folder, first), text);
    }
  }
  return exit_clean;
}

} // namespace tilesim::driver
