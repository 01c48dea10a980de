// A program reduced to the fewest statements that still differ.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/fuzz/minimise.hpp"

#include "tools/build/tile_compiler.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/process.hpp"
#include "tools/cli/terminal.hpp"
#include "tools/fuzz/gpu_build.hpp"
#include "tools/fuzz/reduce.hpp"
#include "tools/fuzz/write.hpp"

#include <fmt/format.h>

#include <optional>

namespace tilesim::tools::fuzz {

namespace {

/// Does the program of that source print something else on this machine's GPU?
bool differs_natively(const std::string& nvcc, const std::string& source, progress& line) {
  const auto tick = [&] { line.tick(); };
  const std::string made = source + ".exe";
  if (run_process(
          {nvcc, "--enable-tile", "-std=c++20", "-arch=native", exact_flag, source, "-o", made},
          tick)
          .status != 0) {
    return false;
  }
  const process_result there = run_process({made}, tick);
  if (there.output.find("error: no CUDA-capable device") != std::string::npos ||
      there.output.find("error: CUDA driver version is insufficient") != std::string::npos) {
    throw failure(exit_unavailable,
                  there.output + "--minimise needs a GPU, or --failing COMMAND that decides");
  }
  const process_result here =
      run_process({"/proc/self/exe", "run", "-O0", "--arith", "hardware", source}, tick);
  return there.status == 0 && here.status == 0 && there.output != here.output;
}

} // namespace

program minimise(const program& p, const wishes& w, const std::string& command) {
  const temporary_folder folder("fuzz");
  const std::string source = folder.path() + "/fuzz.cu";
  const auto nvcc = command.empty() ? std::optional(find_tile_compiler().path) : std::nullopt;
  progress line(fmt::format("tilesim: {} statements", size_of(p)));
  const auto shows = [&](const program& q) {
    line.tick(fmt::format("tilesim: {} statements", size_of(q)));
    program plain = q;
    plain.path.clear(); // so that it prints under the same name
    write_file(source,
               to_source({plain}, fmt::format("tilesim fuzz --seed {}{}", q.label(), to_words(w))));
    return nvcc ? differs_natively(*nvcc, source, line)
                : run_process({"/bin/sh", "-c", command + " \"$1\"", "sh", source}, [&] {
                    line.tick();
                  }).status == 0;
  };
  if (!shows(p)) {
    throw failure(exit_findings,
                  fmt::format("the program {} does not show it: {}",
                              p.label(),
                              nvcc ? "GPU and simulator print the same"
                                   : fmt::format("'{}' does not end with 0", command)));
  }
  return minimised(p, shows);
}

} // namespace tilesim::tools::fuzz
