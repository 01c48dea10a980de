// tilesim gpu: finds the action.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/exit_codes.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/terminal.hpp"
#include "tools/gpu/actions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilesim::tools {

namespace {

constexpr std::array actions{
    command{"build", "compile a program with NVIDIA's compiler and the recorder", gpu_tool::build},
    command{"show", "what a recording holds", gpu_tool::show},
    command{"compact", "a recording made smaller: hashes of what is the same", gpu_tool::compact},
    command{"sums", "which sums NVIDIA's compiler fuses with a product", gpu_tool::sums}};

std::string help() {
  std::string text = "usage: tilesim gpu ACTION ...\n"
                     "\n"
                     "Programs that record what a GPU does, for 'tilesim diff'.\n"
                     "\n"
                     "actions:\n";
  for (const command& a : actions) {
    text += fmt::format("  {:<7} {}\n", a.name, a.summary);
  }
  return text + "\n"
                "examples:\n"
                "  tilesim gpu build -fmad=false saxpy.cu -o saxpy   # no GPU is needed\n"
                "  ./saxpy                                           # there: writes saxpy.rec\n"
                "  tilesim diff saxpy.cu --against saxpy.rec         # anywhere\n";
}

} // namespace

std::string gpu_tool::one_recording(const std::vector<std::string>& files,
                                    std::string_view action) {
  if (files.size() != 1) {
    throw failure(
        exit_usage,
        fmt::format("'gpu {0}' takes one recording, not {1}; see 'tilesim gpu {0} --help'",
                    action,
                    files.size()));
  }
  return files.front();
}

int gpu_command(const std::vector<std::string>& words) {
  if (!words.empty() && (words.front() == "--help" || words.front() == "-h")) {
    print_out(help());
    return exit_clean;
  }
  const auto* const found =
      words.empty() ? actions.end() : std::ranges::find_if(actions, [&](const command& a) {
        return words.front() == a.name;
      });
  if (found == actions.end()) {
    throw failure(exit_usage,
                  words.empty() ? std::string("'gpu' needs an action; see 'tilesim gpu --help'")
                                : fmt::format("'{}' is no action of 'gpu'; see 'tilesim gpu "
                                              "--help'",
                                              words.front()));
  }
  return found->run({words.begin() + 1, words.end()});
}

} // namespace tilesim::tools
