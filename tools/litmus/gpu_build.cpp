// tilesim litmus --gpu-build: litmus tests as one program for a GPU.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/litmus/gpu_build.hpp"

#include "memmodel/assertion.hpp"
#include "memmodel/litmus/reader.hpp"
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/standard_error.hpp"
#include "tools/build/tile_compiler.hpp"
#include "tools/build/toolchain.hpp"
#include "tools/cli/arguments.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/number_checks.hpp"
#include "tools/cli/process.hpp"
#include "tools/cli/terminal.hpp"
#include "tools/litmus/gpu_code.hpp"
#include "tools/litmus/mutants.hpp"
#include "tools/litmus/suite.hpp"

#define XXH_INLINE_ALL
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <litmus_harness.hpp>
#include <thread>
#include <xxhash.h>

namespace tilesim::tools {
namespace {

using namespace memmodel::litmus;

struct gpu_options {
  std::string output;
  std::string keep;
  std::string arch = "sm_90";
  bool mutants = false;
  unsigned jobs = 0;
};

constexpr const char* gpu_footer =
    "One program of many litmus tests, for a GPU: 'PROG --help' has its options, 'tilesim\n"
    "litmus --observed LOG' judges what it writes. What cannot run on one GPU is told with the\n"
    "reason. A host's thread runs in a block of its own instead. Tile tests become tile kernels\n"
    "with the operations of cuda::tiles, PTX tests kernels with inline PTX.\n"
    "\n"
    "Exit status: 0; 64 the command line; 65 a file does not parse, or nothing can be built;\n"
    "69 no compiler.\n"
    "\n"
    "examples:\n"
    "  tilesim litmus --gpu-build tests/litmus/ptx -o prog\n"
    "  tilesim litmus --gpu-build tests/litmus/tile -o tiles\n"
    "  tilesim litmus --gpu-build --mutants SB.litmus -o prog --keep prog.cu\n";

/// A file's tests: itself and its mutants; or why there are none.
struct built_file {
  std::string path;
  std::string skipped;
  std::string wrong; ///< it does not parse: the whole message
  std::string note;
  std::vector<gpu_test> tests;
  std::size_t mutants = 0;    ///< all of them
  std::size_t unanswered = 0; ///< the model's answer takes too long
};

gpu_marks marks_of(const test& t, const allowed_states& ptx) {
  const allowed_states sc = allowed_by(t, memmodel::sc());
  gpu_marks m;
  m.known = ptx.limit.empty() && sc.limit.empty() && !sc.cut && !sc.everything;
  if (m.known) {
    m.sc.assign(sc.states.begin(), sc.states.end());
    m.weak = !std::ranges::includes(sc.states, ptx.states);
  }
  return m;
}

void add_mutants(built_file& f, const gpu_test& original, const allowed_states& allowed) {
  for (mutant& m : mutants_of(original.test)) {
    ++f.mutants;
    const allowed_states of = allowed_by(m.test, memmodel::ptx());
    f.unanswered += of.limit.empty() ? 0U : 1U;
    if (!killing_states(allowed, of).empty() && why_not_on_gpu(m.test, original.tile).empty()) {
      gpu_test g{
          original.file, original.hash, std::move(m.test), original.tile, std::move(m.what), {}};
      g.marks = marks_of(g.test, of);
      f.tests.push_back(std::move(g));
    }
  }
}

built_file build_file(const std::string& path, bool mutants) {
  built_file f;
  f.path = path;
  const auto text = read_text(path);
  if (!text) {
    f.wrong = fmt::format("{}: error: cannot be read\n", path);
    return f;
  }
  gpu_test g;
  g.file = path;
  TILESIM_ASSERT(text->data() != nullptr); // which the hash takes for no bytes at all
  g.hash = XXH64(text->data(), text->size(), 0);
  const auto first = text->find_first_not_of(" \t\r\n");
  g.tile = first != std::string::npos &&
           (text->compare(first, 4, "TILE") == 0 || text->compare(first, 4, "tile") == 0);
  try {
    g.test = read_test(*text);
    f.skipped = why_not_on_gpu(g.test, g.tile);
    if (!f.skipped.empty()) {
      return f;
    }
    if (std::ranges::any_of(g.test.threads,
                            [](const auto& p) { return p.place.gpu == memmodel::place::host; })) {
      f.note = "the host's threads run in blocks of their own";
    }
    const allowed_states allowed = allowed_by(g.test, memmodel::ptx());
    g.marks = marks_of(g.test, allowed);
    f.tests.push_back(std::move(g));
    if (mutants) {
      add_mutants(f, gpu_test(f.tests.front()), allowed);
    }
  } catch (const syntax_error& e) {
    f.wrong = fmt::format("{}:{}:{}: error: {}\n", path, e.at.line, e.at.column, e.message);
  } catch (const program_error& e) {
    f.wrong = fmt::format("{}:{}:{}: error: {}\n", path, e.at.line, e.at.column, e.message);
  }
  return f;
}

std::vector<built_file> build_files(const std::vector<suite_file>& files, const gpu_options& o) {
  std::vector<built_file> out(files.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < files.size(); i = next++) {
      out[i] = build_file(files[i].path, o.mutants);
    }
  };
  std::vector<std::jthread> others;
  const unsigned jobs = o.jobs != 0 ? o.jobs : std::thread::hardware_concurrency();
  for (unsigned j = 1; j < jobs; ++j) {
    others.emplace_back(work);
  }
  work();
  others.clear();
  return out;
}

bool has_tile_tests(const std::vector<built_file>& files) {
  return std::ranges::any_of(files, [](const built_file& f) {
    return std::ranges::any_of(f.tests, [](const gpu_test& t) { return t.tile; });
  });
}

std::string program_text(const std::vector<built_file>& files) {
  std::string kernels;
  std::string tables;
  std::string rows;
  std::size_t number = 0;
  for (const built_file& f : files) {
    for (const gpu_test& t : f.tests) {
      kernels += "\n" + kernel_text(t, number);
      tables += tables_text(t, number);
      rows += row_text(t, number);
      ++number;
    }
  }
  return fmt::format("{}{}\nnamespace {{\n{}\n{}\nconst test_info tests[] = {{\n{}}};\n\n"
                     "}} // namespace\n\n{}",
                     litmus_harness,
                     has_tile_tests(files) ? litmus_harness_tile : "",
                     kernels,
                     tables,
                     rows,
                     litmus_harness_main);
}

/// What was built, and what was not and why. Returns the number of tests.
std::size_t tell(const std::vector<built_file>& files, const gpu_options& o) {
  std::size_t tests = 0;
  std::size_t mutants = 0;
  std::size_t all_mutants = 0;
  std::size_t unanswered = 0;
  std::size_t skipped = 0;
  std::string wrong;
  for (const built_file& f : files) {
    wrong += f.wrong;
    if (!f.skipped.empty()) {
      print_out(fmt::format("{}: skipped: {}\n", f.path, f.skipped));
      ++skipped;
    }
    if (!f.note.empty()) {
      print_out(fmt::format("{}: note: {}\n", f.path, f.note));
    }
    tests += f.tests.empty() ? 0U : 1U;
    mutants += f.tests.empty() ? 0 : f.tests.size() - 1;
    all_mutants += f.mutants;
    unanswered += f.unanswered;
  }
  if (!wrong.empty()) {
    throw printed_failure(exit_input, wrong);
  }
  print_out(fmt::format("{} tests, {} skipped", tests, skipped));
  if (o.mutants) {
    print_out(fmt::format("; {} of {} mutants can be killed", mutants, all_mutants));
    if (unanswered != 0) {
      print_out(fmt::format(", {} took too long to say", unanswered));
    }
  }
  print_out("\n");
  return tests;
}

void compile(const std::string& nvcc, const std::string& text, bool tile, const gpu_options& o) {
  const temporary_folder folder("litmus");
  const std::string source = folder.path() + "/litmus.cu";
  const std::string made = folder.path() + "/litmus";
  write_file(source, text);
  command_line command{nvcc, "-std=c++20", "-O2", "-arch=" + o.arch, source, "-o", made};
  if (tile) {
    command.emplace_back("--enable-tile");
  }
  run_nvcc(command, "of the tests");
  write_output(o.output, read_file(made).value_or(""), output_kind::program);
}

} // namespace

int litmus_gpu_build(const std::vector<std::string>& words) {
  CLI::App app("Builds a program that runs litmus tests on a GPU.", "litmus --gpu-build");
  set_usage(app, "usage: tilesim litmus --gpu-build FILE.litmus|FOLDER... -o PROG [options]");
  gpu_options o;
  bool given = false;
  app.add_flag("--gpu-build", given, "build such a program");
  app.add_option("-o", o.output, "the program");
  app.add_option("--keep", o.keep, "its source, too; without -o nothing is compiled");
  app.add_option("--arch", o.arch, "the device's architecture (sm_90)");
  app.add_flag("--mutants", o.mutants, "each test with one order or scope weakened, too");
  app.add_option("--jobs", o.jobs, "threads that ask the model (as many as the machine has)")
      ->check(whole_number(1, 1024));
  app.footer(gpu_footer);
  const auto named = parse_words(app, words);
  if (named.empty() || (o.output.empty() && o.keep.empty())) {
    throw failure(exit_usage,
                  "write 'tilesim litmus --gpu-build FILE.litmus -o PROG', see 'tilesim litmus "
                  "--gpu-build --help'");
  }
  const auto files = files_named(named);
  const auto nvcc = o.output.empty() ? std::optional<std::string>() : find_nvcc();
  if (!nvcc && !o.output.empty()) {
    throw failure(exit_unavailable, nvcc_missing);
  }
  const auto built = build_files(files, o);
  if (tell(built, o) == 0) {
    throw failure(exit_input, "none of the tests can be run on a GPU");
  }
  const std::string text = program_text(built);
  if (!o.keep.empty()) {
    write_output(o.keep, text);
  }
  if (nvcc) {
    compile(*nvcc, text, has_tile_tests(built), o);
  }
  return exit_clean;
}

} // namespace tilesim::tools
