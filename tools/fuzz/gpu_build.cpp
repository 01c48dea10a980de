// Many random programs as one program for a GPU: several to a translation unit, since most of what
// a small one costs is parsing the headers.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/fuzz/gpu_build.hpp"

#include "sim/contract/standard_error.hpp"
#include "tools/build/tile_compiler.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/process.hpp"
#include "tools/cli/terminal.hpp"
#include "tools/fuzz/gpu_main.hpp"
#include "tools/fuzz/log.hpp"
#include "tools/fuzz/parallel.hpp"
#include "tools/fuzz/write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <span>

namespace tilesim::tools::fuzz {

namespace {

class gpu_builder {
public:
  gpu_builder(const wishes& w, const gpu_request& request)
      : wishes_(w)
      , request_(request)
      , compiler_(find_tile_compiler())
      , folder_("fuzz") {}

  std::vector<std::string> run(const std::vector<program>& programs) {
    const std::size_t each = std::max<std::size_t>(1, request_.per_file);
    const std::size_t units = (programs.size() + each - 1) / each;
    progress line(fmt::format("tilesim: nvcc, {} programs", programs.size()));
    in_parallel(units, request_.jobs, [&](std::size_t u) {
      compile_unit(
          std::span(programs).subspan(u * each, std::min(each, programs.size() - (u * each))));
      const std::scoped_lock lock(mutex_);
      line.tick(fmt::format("tilesim: nvcc, {} of {} programs", done_, programs.size()));
    });
    line.erase();
    link(programs);
    return without_;
  }

private:
  [[nodiscard]] command_line command() const {
    return {compiler_.path, "--enable-tile", "-std=c++20", "-arch=" + request_.arch, exact_flag};
  }

  /// Where one does not compile, the halves: the others are to be had all the same.
  void compile_unit(std::span<const program> programs) {
    const std::string base =
        fmt::format("{}/{}-{}", folder_.path(), name_space(programs.front()), programs.size());
    write_file(base + ".cu",
               to_unit({programs.begin(), programs.end()},
                       "tilesim fuzz" + to_words(wishes_) + ", a part of a GPU program"));
    command_line words = command();
    words.insert(words.end(), {"-c", base + ".cu", "-o", base + ".o"});
    const process_result result = run_process(words);
    if (result.status != 0 && programs.size() > 1) {
      const std::size_t half = programs.size() / 2;
      compile_unit(programs.first(half));
      compile_unit(programs.subspan(half));
      return;
    }
    const std::scoped_lock lock(mutex_);
    done_ += programs.size();
    if (result.status == 0) {
      objects_.push_back(base + ".o");
      return;
    }
    sim::print_error("tilesim: the program {} does not compile (status {}):\n{}\n",
                     programs.front().label(),
                     result.status,
                     for_terminal(result.output));
    without_.push_back(programs.front().label());
  }

  void link(const std::vector<program>& programs) {
    std::vector<program> there;
    std::ranges::copy_if(programs, std::back_inserter(there), [&](const program& p) {
      return std::ranges::find(without_, p.label()) == without_.end();
    });
    if (there.empty()) {
      throw failure(exit_input, "none of the programs compiles");
    }
    const command_line flags = command();
    const std::string source = folder_.path() + "/main.cu";
    write_file(
        source,
        to_gpu_main(there,
                    log_header(wishes_,
                               "nvcc " + compiler_.version,
                               fmt::format("{}", fmt::join(flags.begin() + 1, flags.end(), " ")))));
    const std::string made = folder_.path() + "/program";
    command_line words = flags;
    words.push_back(source);
    std::ranges::sort(objects_);
    words.insert(words.end(), objects_.begin(), objects_.end());
    words.insert(words.end(),
                 {"-Xcompiler", "-static-libstdc++", "-Xcompiler", "-static-libgcc", "-o", made});
    if (const process_result result = run_process(words); result.status != 0) {
      throw printed_failure(exit_input, result.output);
    }
    write_output(request_.output, read_file(made).value_or(""), output_kind::program);
  }

  const wishes& wishes_;
  const gpu_request& request_;
  nvcc compiler_;
  temporary_folder folder_;
  std::mutex mutex_;
  std::size_t done_ = 0;
  std::vector<std::string> objects_;
  std::vector<std::string> without_;
};

} // namespace

std::vector<std::string>
build_for_gpu(const std::vector<program>& programs, const wishes& w, const gpu_request& request) {
  return gpu_builder(w, request).run(programs);
}

} // namespace tilesim::tools::fuzz
