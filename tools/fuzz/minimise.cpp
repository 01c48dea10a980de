// A program reduced to the fewest statements that still differ.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/fuzz/minimise.hpp"

#include "tools/build/tile_compiler.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/process.hpp"
#include "tools/cli/resources.hpp"
#include "tools/cli/terminal.hpp"
#include "tools/fuzz/gpu_build.hpp"
#include "tools/fuzz/reduce.hpp"
#include "tools/fuzz/write.hpp"

#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace tilesim::tools::fuzz {

namespace {

/// Random programs take milliseconds there.
constexpr const char* seconds_of_a_run = "20";

/// Does the program of that source print something else on this machine's GPU, or not end there?
bool differs_natively(const std::string& nvcc, const std::string& source, progress& line) {
  const auto tick = [&] { line.tick(); };
  const std::string made = source + ".exe";
  if (run_process(
          {nvcc, "--enable-tile", "-std=c++20", "-arch=native", exact_flag, source, "-o", made},
          tick)
          .status != 0) {
    return false;
  }
  constexpr int killed = 128 + SIGKILL;
  const process_result there =
      run_process({"timeout", "--signal=KILL", seconds_of_a_run, made}, tick);
  if (there.output.find("error: no CUDA-capable device") != std::string::npos ||
      there.output.find("error: CUDA driver version is insufficient") != std::string::npos) {
    throw failure(exit_unavailable,
                  there.output + "--minimise needs a GPU, or --failing COMMAND that decides");
  }
  const process_result here =
      run_process({"/proc/self/exe", "run", "-O0", "--arith", "hardware", source}, tick);
  return here.status == 0 &&
         (there.status == killed || (there.status == 0 && there.output != here.output));
}

} // namespace

program minimise(const program& p, const wishes& w, const minimise_request& request) {
  const std::string& command = request.command;
  const temporary_folder folder("fuzz");
  const auto nvcc = command.empty() ? std::optional(find_tile_compiler().path) : std::nullopt;
  progress line(fmt::format("tilesim: {} statements", size_of(p)));
  std::atomic<std::size_t> tried = 0;
  const auto shows = [&](const program& q) {
    program plain = q;
    plain.path.clear(); // so that it prints under the same name
    const std::string own = fmt::format("{}/{}", folder.path(), tried++);
    std::filesystem::create_directory(own);
    const std::string source = own + "/fuzz.cu";
    write_file(source,
               to_source({plain}, fmt::format("tilesim fuzz --seed {}{}", q.label(), to_words(w))));
    const bool found = nvcc
                           ? differs_natively(*nvcc, source, line)
                           : run_process({"/bin/sh", "-c", command + " \"$1\"", "sh", source}, [&] {
                               line.tick();
                             }).status == 0;
    std::filesystem::remove_all(own);
    return found;
  };
  if (!shows(p)) {
    throw failure(exit_findings,
                  fmt::format("the program {} does not show it: {}",
                              p.label(),
                              nvcc ? "GPU and simulator print the same"
                                   : fmt::format("'{}' does not end with 0", command)));
  }
  const std::size_t jobs = request.jobs == 0 ? usable_processors() : request.jobs;
  return minimised(p, jobs, shows, [&](const program& q) {
    line.tick(fmt::format("tilesim: {} statements, {} programs tried", size_of(q), tried.load()));
    if (request.taken) {
      request.taken(q);
    }
  });
}

} // namespace tilesim::tools::fuzz
