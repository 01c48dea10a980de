// Launch arguments into a command line of `tilesim step`.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/dap/launch.hpp"

#include "tools/cli/failure.hpp"
#include "tools/cli/run_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace tilesim::tools::dap {
namespace {

using nlohmann::json;

template <class T>
T member(const json& arguments, const char* name, T otherwise, const char* wanted) {
  const auto it = arguments.find(name);
  if (it == arguments.end() || it->is_null()) {
    return otherwise;
  }
  try {
    return it->get<T>();
  } catch (const json::exception&) {
    throw failure(
        exit_usage,
        fmt::format(
            "the launch configuration's \"{}\" takes {}, not {}", name, wanted, it->dump()));
  }
}

std::string text(const json& arguments, const char* name, const char* otherwise = "") {
  return member<std::string>(arguments, name, otherwise, "a text");
}

std::vector<std::string> words(const json& arguments, const char* name) {
  return member<std::vector<std::string>>(arguments, name, {}, "a list of words");
}

bool flag(const json& arguments, const char* name) {
  return member(arguments, name, false, "true or false");
}

/// The words of `tilesim step` that mean the same.
std::vector<std::string> step_words(const json& arguments, const std::string& program) {
  std::vector<std::string> all = words(arguments, "options");
  all.push_back(program);
  for (auto& w : words(arguments, "flags")) {
    all.push_back(std::move(w));
  }
  all.emplace_back("--");
  for (auto& w : words(arguments, "args")) {
    all.push_back(std::move(w));
  }
  return all;
}

void enter(const std::string& folder) {
  if (!folder.empty() && chdir(folder.c_str()) != 0) {
    throw failure(
        exit_usage,
        fmt::format("the launch configuration's \"cwd\", '{}': {}", folder, std::strerror(errno)));
  }
}

void set_environment(const json& arguments) {
  const auto all = member<std::map<std::string, std::string>>(
      arguments, "env", {}, "an object whose members are texts");
  for (const auto& [name, value] : all) {
    setenv(name.c_str(), value.c_str(), 1);
  }
}

} // namespace

launch_request read_launch(const json& arguments) {
  launch_request launch;
  const std::string program = text(arguments, "program");
  if (program.empty()) {
    throw failure(exit_usage,
                  "the launch configuration has no \"program\": the path of a .cu file");
  }
  launch.stop_on_entry = flag(arguments, "stopOnEntry");
  launch.stop_at_end = flag(arguments, "stopAtEnd");
  launch.no_debug = flag(arguments, "noDebug");
  step::program_request& p = launch.program;
  p.replay = text(arguments, "replay");
  p.finding = text(arguments, "finding");
  p.model = text(arguments, "model");
  if (!p.model.empty() && p.model != "ptx" && p.model != "sc") {
    throw failure(exit_usage,
                  fmt::format("the launch configuration's \"model\" takes \"ptx\" or \"sc\", not "
                              "\"{}\"",
                              p.model));
  }
  launch.replays = !p.replay.empty() || !p.finding.empty();
  p.input = text(arguments, "input", "/dev/null");
  p.history_megabytes =
      member(arguments, "history", p.history_megabytes, "a number of megabytes, 1 or more");
  enter(text(arguments, "cwd"));
  set_environment(arguments);

  CLI::App app("launch", "step");
  const run_options simulator(app, run_options::command::run);
  try {
    p.arguments = parse_arguments(app, step_words(arguments, program));
  } catch (const CLI::Error& e) {
    throw failure(exit_usage, e.what());
  }
  if (p.arguments.request.objects_only || !p.arguments.request.output.empty()) {
    throw failure(exit_usage,
                  "the launch configuration's \"flags\" take neither -c nor -o: nothing is kept");
  }
  p.simulator = simulator.values();
  return launch;
}

errors_kept::errors_kept() {
  std::fflush(stderr);
  file_ = memfd_create("tilesim-compiler", MFD_CLOEXEC);
  before_ = dup(STDERR_FILENO);
  if (file_ >= 0 && before_ >= 0) {
    dup2(file_, STDERR_FILENO);
  }
}

errors_kept::~errors_kept() {
  std::fflush(stderr);
  if (before_ >= 0) {
    dup2(before_, STDERR_FILENO);
    close(before_);
  }
  close(file_);
}

std::string errors_kept::text() const {
  std::fflush(stderr);
  std::string all;
  std::array<char, 65536> piece; // NOLINT: pread fills it
  for (;;) {
    const ssize_t n = pread(file_, piece.data(), piece.size(), static_cast<off_t>(all.size()));
    if (n <= 0) {
      return all;
    }
    all.append(piece.data(), static_cast<std::size_t>(n));
  }
}

} // namespace tilesim::tools::dap
