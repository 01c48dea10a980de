// Finding NVIDIA's compiler.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/tile_compiler.hpp"

#include "sim/contract/exit_codes.hpp"
#include "sim/contract/standard_error.hpp"
#include "tools/build/toolchain.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/process.hpp"
#include "tools/cli/terminal.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <tuple>
#include <utility>

namespace tilesim::tools {

namespace {

constexpr std::tuple first_with_tiles{13, 1};

std::optional<std::string> any_nvcc() {
  if (auto found = find_nvcc()) {
    return found;
  }
  const char* const home = std::getenv("CUDA_HOME");
  if (home == nullptr || *home == '\0') {
    return find_program("nvcc");
  }
  const std::string path = std::string(home) + "/bin/nvcc";
  if (find_program(path)) {
    return path;
  }
  const std::string wrong = fmt::format("CUDA_HOME is '{}', and {} is no program", home, path);
  auto other = find_program("nvcc");
  if (!other) {
    throw failure(exit_unavailable, fmt::format("{}; {}", wrong, nvcc_missing));
  }
  if (static bool told = false; !std::exchange(told, true)) {
    sim::print_error("tilesim: note: {}; {} is taken, from PATH\n", wrong, *other);
  }
  return other;
}

/// "13.4.92" of "…, release 13.4, V13.4.92"; empty where it says no such thing.
std::string version_in(const std::string& said) {
  const std::size_t at = said.find(", V");
  if (at == std::string::npos) {
    return {};
  }
  const std::size_t end = said.find_first_not_of("0123456789.", at + 3);
  return said.substr(at + 3, end == std::string::npos ? end : end - at - 3);
}

} // namespace

nvcc find_tile_compiler() {
  const auto path = any_nvcc();
  if (!path) {
    throw failure(exit_unavailable, nvcc_missing);
  }
  nvcc found{.path = *path, .version = version_in(run_process({*path, "--version"}).output)};
  char* rest = nullptr;
  const long major = std::strtol(found.version.c_str(), &rest, 10);
  const long minor = *rest == '.' ? std::strtol(rest + 1, nullptr, 10) : 0;
  if (std::tuple(major, minor) < first_with_tiles) {
    throw failure(exit_unavailable,
                  fmt::format("{} is of version {}, and tile kernels need 13.1 or newer; run "
                              "'tilesim toolchain install'",
                              *path,
                              found.version.empty() ? "unknown" : found.version));
  }
  return found;
}

std::string source_word(const std::string& source) {
  return source.starts_with('@') ? "./" + source : source;
}

command_line nvcc_words(const command_line& compile) {
  command_line words;
  for (const auto& word : compile) {
    if (!word.starts_with("-std=") && !word.starts_with("-O") && word != "-w" && word != "-g") {
      words.emplace_back("-Xcompiler");
    }
    words.push_back(word);
  }
  return words;
}

std::string nvcc_architecture(const build_request& request) {
  return "sm_" + request.arch_list.substr(0, request.arch_list.size() - 1);
}

command_line nvcc_flags(const build_request& request) {
  command_line flags;
  if (!request.has_standard) {
    flags.emplace_back("-std=c++20");
  }
  flags.push_back("-arch=" + nvcc_architecture(request));
  flags.insert(flags.end(), request.preprocess.begin(), request.preprocess.end());
  const command_line words = nvcc_words(request.compile);
  flags.insert(flags.end(), words.begin(), words.end());
  return flags;
}

command_line
tile_ir_command(const std::string& nvcc, const command_line& flags, const std::string& source) {
  command_line command{nvcc, "--enable-tile", "--tilebc"};
  command.insert(command.end(), flags.begin(), flags.end());
  command.push_back(source_word(source));
  return command;
}

std::string run_nvcc(const command_line& command, const std::string& what) {
  progress line("tilesim: nvcc " + what);
  const process_result result = run_process(command, [&] { line.tick(); });
  line.erase();
  if (result.status != 0) {
    throw printed_failure(exit_input, result.output);
  }
  return result.output;
}

} // namespace tilesim::tools
