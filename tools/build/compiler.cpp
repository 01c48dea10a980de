// Finds the host compiler and knows its flags.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/compiler.hpp"

#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/terminal.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <sys/stat.h>

namespace tilesim::tools {
namespace {

command_line chosen_command() {
  const char* variable = std::getenv("CXX");
  auto command = words_at_blanks(variable != nullptr ? variable : "");
  if (!command.empty()) {
    const auto path = find_program(command[0]);
    if (!path) {
      throw failure(exit_unavailable,
                    fmt::format("CXX names '{}', and there is no such program; unset CXX or set it "
                                "to a C++20 compiler",
                                command[0]));
    }
    command[0] = *path;
    return command;
  }
  for (const auto* name : {"g++", "clang++", "c++"}) {
    if (const auto path = find_program(name)) {
      return {*path};
    }
  }
  throw failure(exit_unavailable,
                "no C++ compiler found; install g++ 12 or newer, or set CXX to a C++20 compiler");
}

// Path, size and time of the programs that $CXX names, e.g. of both ccache and g++.
std::string stamp_of(const command_line& command) {
  std::string stamp;
  for (const auto& word : command) {
    stamp += word + '\n';
    struct stat status {};
    const auto path = find_program(word);
    if (path && stat(path->c_str(), &status) == 0) {
      stamp += fmt::format(
          "{} {} {}.{}\n", *path, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
    }
  }
  return stamp;
}

} // namespace

compiler find_compiler(const cache& results) {
  compiler found;
  found.command = chosen_command();
  const auto stamp = stamp_of(found.command);
  const auto remembered = "compiler-" + hash_bytes(stamp);
  auto version = results.recall(remembered);
  if (!version) {
    auto command = found.command;
    command.emplace_back("--version");
    const auto result = run_process(command);
    if (result.status != 0) {
      throw failure(
          exit_unavailable,
          fmt::format(
              "'{}' fails with status {}:\n{}", to_string(command), result.status, result.output));
    }
    version = result.output;
    results.remember(remembered, *version);
  }
  found.identity = stamp + *version;
  if (version->find("clang") != std::string::npos) {
    found.kind = compiler_kind::clang;
  }
  return found;
}

std::string find_binary_tool(const compiler& host, const std::string& name) {
  // Of a cross compiler, the machine's own does not know the objects.
  auto command = host.command;
  command.push_back("-print-prog-name=" + name);
  const auto answer = run_process(command);
  const auto named = words_at_blanks(answer.output);
  if (answer.status == 0 && named.size() == 1) {
    if (auto path = find_program(named[0])) {
      return *path;
    }
  }
  if (auto path = find_program(name)) {
    return *path;
  }
  throw failure(exit_unavailable, fmt::format("no {} found; install binutils", name));
}

// Calls are neither merged nor turned into jumps: the return address of a call into the simulator
// says where in the source an operation stands.
command_line code_flags(compiler_kind kind) {
  command_line flags{
      "-g",
      "-fno-optimize-sibling-calls",
      "-fno-omit-frame-pointer",
      "-ffp-contract=off",
      // Kernels read values through pointers to other types, as shuffles of structures by words do
      // (CUB's among them), and NVIDIA's compiler takes that for what it says.
      "-fno-strict-aliasing",
      // A loop that polls for ever is no loop that C++ lets a compiler delete: a GPU hangs in it.
      "-fno-finite-loops",
      // A frame of tiles is probed page by page: it meets the guard, not what lies behind.
      "-fstack-clash-protection",
      "-Wno-attributes",
      "-Wno-unknown-pragmas"};
  const command_line gcc{"-fno-crossjumping",
                         "-fno-tree-tail-merge",
                         "-fno-ipa-icf",
                         // A kernel's beginning and the rest of its body stay one function.
                         "-fno-partial-inlining",
                         // Says how vectors were passed before g++ 4.6: of every kernel with one.
                         "-Wno-psabi",
                         "-fno-reorder-blocks-and-partition"};
  const command_line clang{"-mllvm",
                           "-enable-tail-merge=0",
                           "-mllvm",
                           "-simplifycfg-sink-common=0",
                           "-mllvm",
                           "-simplifycfg-hoist-common=0",
                           // A launch through a null pointer is told when it comes there: without
                           // this nothing is left of the rest of a function that is sure to.
                           "-fno-delete-null-pointer-checks",
                           "-Wno-deprecated-this-capture",
                           "-Wno-unknown-warning-option"};
  const auto& own = kind == compiler_kind::gcc ? gcc : clang;
  flags.insert(flags.end(), own.begin(), own.end());
#if defined(__aarch64__)
  // g++ 12.2, Debian 12's, ends with an internal error on some loops there.
  if (kind == compiler_kind::gcc) {
    flags.emplace_back("-fno-tree-loop-vectorize");
  }
#endif
  return flags;
}

// g++ looks for aliases, combines, tracks variables and schedules in time that grows with the
// square of a function's length and more: a thousand operations took 81 s, and take 1.5 to 4.
command_line long_body_flags(compiler_kind kind, std::size_t length) {
  constexpr std::size_t is_longer = 120;
  constexpr std::size_t is_long = 300; // where variables may be lost to the stepper, too
  command_line flags;
  if (kind == compiler_kind::gcc && length >= is_longer) {
    flags = {"-fno-tree-pta", "--param=max-combine-insns=2"};
  }
  if (kind == compiler_kind::gcc && length >= is_long) {
    flags.insert(flags.end(),
                 {"-fno-var-tracking-assignments",
                  "-fno-schedule-insns2",
                  "--param=sccvn-max-alias-queries-per-access=50",
                  "--param=dse-max-alias-queries-per-store=32"});
  }
  return flags;
}

command_line predefined_macros() {
  return {"-DTILESIM=1",
          "-D__CUDACC__=1",
          "-D__NVCC__=1",
          "-D__CUDACC_TILE__=1",
          "-D__NV_TL__=__tile__",
          "-D__NV_TL_BUILTIN__=__tile_builtin__",
          "-D__CUDACC_VER_MAJOR__=13",
          "-D__CUDACC_VER_MINOR__=4",
          "-D__CUDACC_VER_BUILD__=92",
          "-D__CUDA_API_VER_MAJOR__=13",
          "-D__CUDA_API_VER_MINOR__=4",
          "-D__CUDACC_DEVICE_ATOMIC_BUILTINS__=1"};
}

// A host reference stays a function, though it is called once, or with constants: only as a
// function has it a version without hooks. Small functions are put in line as ever: g++ does not
// report what a call returns as a structure straight into memory. (clang++ does; a static function
// that is called once stays out of line there by with_functions_named().)
command_line two_versions_flags(compiler_kind kind) {
  if (kind == compiler_kind::clang) {
    return {"-mllvm", "-inline-threshold=8", "-mllvm", "-inlinehint-threshold=325"};
  }
  return {"-fno-inline-functions-called-once",
          "-fkeep-static-functions", // else one that is called once counts as shrinking the program
          "-fno-ipa-cp",
          "--param=inline-min-speedup=100",
          "--param=inline-heuristics-hint-percent=100",
          "--param=max-inline-insns-auto=12"};
}

command_line hook_flags(compiler_kind kind, const command_line& own) {
  // g++ puts block operations of constant size in line, without a hook: they stay calls. (Those of
  // strlen's kind do anyway, and constant expressions may use them.)
  if (kind == compiler_kind::gcc) {
    command_line flags{"-fsanitize=thread",
                       "--param=tsan-instrument-func-entry-exit=0",
                       "--param=tsan-distinguish-volatile=1",
                       "--param=builtin-string-cmp-inline-length=0",
                       "-Wno-tsan",
                       "-fno-tree-vectorize",
                       "-fno-tree-slp-vectorize",
                       // Whoever polls reads each time, as the source says.
                       "-fno-tree-pre",
                       "-fno-tree-loop-im",
                       // What a kernel allocates, and frees twice or writes behind, is there.
                       "-fno-allocation-dce",
                       "-fno-builtin-malloc",
                       "-fno-builtin-free",
                       "-fno-builtin-memcpy",
                       "-fno-builtin-memmove",
                       "-fno-builtin-mempcpy",
                       "-fno-builtin-memset",
                       "-fno-builtin-memcmp",
                       "-fno-builtin-bcmp",
                       "-fno-builtin-bcopy",
                       "-fno-builtin-bzero",
                       "-fno-builtin-strcpy",
                       "-fno-builtin-strncpy",
                       "-fno-builtin-stpcpy",
                       "-fno-builtin-stpncpy",
                       "-fno-builtin-strcat",
                       "-fno-builtin-strncat",
                       "-fno-builtin-sprintf",
                       "-fno-builtin-snprintf",
                       "-fno-builtin-vsprintf",
                       "-fno-builtin-vsnprintf"};
    // It has no hook either for the memory that a call's structure is returned to, p[i] = f():
    // where references are checked for their alignment it goes by a copy, which has. With
    // optimisation most such calls are put in line, and variables would be lost to the debug
    // information.
    const auto level = std::find_if(
        own.rbegin(), own.rend(), [](const auto& word) { return word.starts_with("-O"); });
    if (level != own.rend() && *level == "-O0") {
      flags.insert(flags.end(), {"-fsanitize=alignment", "-fsanitize-recover=alignment"});
    }
    return flags;
  }
  return {"-fsanitize=thread",
          "-mllvm",
          "-tsan-instrument-func-entry-exit=0",
          "-mllvm",
          "-tsan-distinguish-volatile=1",
          "-mllvm",
          "-tsan-instrument-read-before-write=1",
          "-fno-builtin-malloc",
          "-fno-builtin-free",
          "-fno-vectorize",
          "-fno-slp-vectorize"};
}

std::optional<std::string> what_is_missing(std::string_view output) {
  const auto text = without_colours(std::string(output));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    // These quote the source.
    if (line.find("error: #") != std::string::npos ||
        line.find("static assertion") != std::string::npos) {
      continue;
    }
    line.erase(line.find_last_not_of(" '.") + 1);
    for (const int error : {ENOSPC, EDQUOT, EFBIG, EMFILE, ENFILE, ENOMEM, EROFS}) {
      if (line.ends_with(fmt::format(": {}", std::strerror(error))) ||
          line.ends_with(fmt::format(": '{}", std::strerror(error)))) {
        return line;
      }
    }
    for (const auto* words : {"fatal error: when writing output to ",
                              "fatal error: error writing to ",
                              "fatal error: error closing ",
                              "out of memory allocating ",
                              "Killed signal terminated program",
                              "File size limit exceeded signal",
                              "terminated with signal 7 [Bus error]"}) {
      if (line.find(words) != std::string::npos) {
        return line;
      }
    }
  }
  return {};
}

command_line wrapped_calls() {
  command_line flags;
  for (const char* const symbol : {"malloc",
                                   "free",
                                   "_Znwm",
                                   "_Znam",
                                   "_ZnwmRKSt9nothrow_t",
                                   "_ZnamRKSt9nothrow_t",
                                   "_ZnwmSt11align_val_t",
                                   "_ZnamSt11align_val_t",
                                   "_ZdlPv",
                                   "_ZdaPv",
                                   "_ZdlPvm",
                                   "_ZdaPvm",
                                   "_ZdlPvSt11align_val_t",
                                   "_ZdaPvSt11align_val_t",
                                   "_ZdlPvmSt11align_val_t",
                                   "_ZdaPvmSt11align_val_t",
                                   "printf",
                                   "__printf_chk", // with _FORTIFY_SOURCE
                                   "clock_gettime",
                                   "gettimeofday",
                                   "_ZNSt6chrono3_V212system_clock3nowEv",
                                   "_ZNSt6chrono3_V212steady_clock3nowEv"}) {
    flags.push_back(fmt::format("-Wl,--wrap={}", symbol));
  }
  return flags;
}

} // namespace tilesim::tools
