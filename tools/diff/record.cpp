// Recording: NVIDIA's compiler, then the program itself.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/diff/record.hpp"

#include "gpu_backend/container/reader.hpp"
#include "gpu_backend/recorder/environment.hpp"
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/standard_error.hpp"
#include "tools/build/cache.hpp"
#include "tools/build/tile_compiler.hpp"
#include "tools/check/run.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/terminal.hpp"
#include "tools/gpu/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <variant>
#include <vector>

namespace tilesim::tools::diff {

namespace {

/// As the command line gave them: the host compiler's in front of -Xcompiler.
gpu_tool::build_options options_of(const arguments& given) {
  gpu_tool::build_options o;
  o.sources = given.request.sources;
  o.arch = nvcc_architecture(given.request);
  o.flags = given.request.preprocess;
  const command_line words = nvcc_words(given.request.compile);
  o.flags.insert(o.flags.end(), words.begin(), words.end());
  o.flags.emplace_back("-fmad=false"); // operation by operation, as the simulator
  o.flags.insert(o.flags.end(), given.request.link.begin(), given.request.link.end());
  return o;
}

/// Throws failure (69) unless the program has met a device. `words`: the program's own.
void must_have_device(const std::string& path, const std::vector<std::string>& words) {
  std::string old_driver;
  try {
    const gpu::recording_file recording(path);
    for (const gpu::event& e : recording.events()) {
      if (const auto* const machine = std::get_if<gpu::machine_event>(&e)) {
        if (!machine->device.empty()) {
          return;
        }
        // Without any driver the runtime says the same.
        if (!machine->driver.empty()) {
          old_driver =
              fmt::format("this machine's driver {} is too old for a program of CUDA {}; "
                          "install a newer driver, or record the program on another machine",
                          machine->driver,
                          machine->runtime);
        }
      } else if (const auto* const error = std::get_if<gpu::error_event>(&e);
                 error != nullptr && error->name == "cudaErrorInsufficientDriver" &&
                 !old_driver.empty()) {
        throw failure(exit_unavailable, old_driver);
      }
    }
  } catch (const gpu::bad_recording&) { // it has not even begun to record
  } catch (const std::system_error&) {
  }
  const bool is_given = std::ranges::find(words, "--against") != words.end();
  throw failure(
      exit_unavailable,
      fmt::format(
          "this machine has no CUDA device; record the program where there is one ('tilesim "
          "gpu build' makes it) and give --against FILE.rec{}",
          is_given ? " in front of '--', for what stands behind that is the program's" : ""));
}

} // namespace

void record_here(const arguments& given, const std::string& path, double seconds, bool verbose) {
  const temporary_file program(cache::open(), ".exe");
  gpu_tool::build_options o = options_of(given);
  o.output = program.path;
  o.verbose = verbose;
  gpu_tool::build_recording_program(o);

  setenv(gpu::recording_variable, path.c_str(), 1);
  run_request request;
  request.program = program.path;
  request.words = program_words(given);
  request.options = nlohmann::json::object();
  request.deadline = deadline_in(seconds);
  recorded_input input;
  const interrupt_watch watch;
  progress said("running on the device");
  const program_run run = run_checked(request, input, [&said] { said.tick(); });
  said.erase();
  unsetenv(gpu::recording_variable);
  if (run.killed && !interrupt_watch::requested()) {
    throw failure(
        exit_unavailable,
        fmt::format("on the device the program has not ended after {} s; give it more with "
                    "--gpu-timeout",
                    seconds));
  }
  must_have_device(path, given.program);
}

} // namespace tilesim::tools::diff
