// tilesim toolchain: NVIDIA's compiler from the Python package index, in a folder of its own.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/toolchain.hpp"

#include "sim/contract/standard_error.hpp"
#include "tools/build/cache.hpp"
#include "tools/cli/arguments.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/terminal.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <unistd.h>

namespace tilesim::tools {
namespace fs = std::filesystem;
namespace {

constexpr std::array packages{"nvidia-cuda-nvcc==13.4.92",
                              "nvidia-cuda-crt==13.4.92",
                              "nvidia-nvvm==13.4.92",
                              "nvidia-cuda-runtime==13.4.92",
                              "nvidia-cuda-tileiras==13.4.92",
                              "nvidia-cuda-cccl"};

fs::path toolchain_folder() {
  return fs::path(cache::open().folder()) / "toolchain" / "13.4.92";
}

std::optional<std::string> nvcc_below(const fs::path& environment) {
  std::error_code error;
  for (fs::directory_iterator it(environment / "lib", error), end; !error && it != end;
       it.increment(error)) {
    const auto nvcc = it->path() / "site-packages/nvidia/cu13/bin/nvcc";
    if (access(nvcc.c_str(), X_OK) == 0) {
      return nvcc.string();
    }
  }
  return {};
}

std::optional<std::string> installed_nvcc() {
  const auto folder = toolchain_folder();
  if (access((folder / "complete").c_str(), R_OK) != 0) {
    return {};
  }
  return nvcc_below(folder);
}

void must_succeed(const command_line& command, const std::string& remedy) {
  sim::print_error("{}\n", to_string(command));
  if (run_attached(command) != 0) {
    throw failure(exit_unavailable, fmt::format("'{}' fails; {}", command[0], remedy));
  }
}

// A second installation at the same time waits for the first, until the process ends.
void lock(const fs::path& folder) {
  fs::create_directories(folder.parent_path());
  const int file = open((folder.string() + ".lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
  if (file < 0 || flock(file, LOCK_EX) != 0) {
    throw failure(exit_unavailable, fmt::format("cannot lock '{}'", folder.string()));
  }
}

// A virtual environment is not to be moved, so it is made where it stays; the mark at the end says
// that nothing is missing.
int install() {
  const auto folder = toolchain_folder();
  lock(folder);
  if (const auto nvcc = find_nvcc()) {
    print_out(*nvcc + "\n");
    return exit_clean;
  }
  const auto python = find_program("python3");
  if (!python) {
    throw failure(exit_unavailable,
                  "no python3 found; install python3 and python3-venv, or set TILESIM_NVCC");
  }
  fs::remove_all(folder);
  must_succeed({*python, "-m", "venv", folder.string()},
               "install python3-venv, which makes virtual environments");
  command_line pip{(folder / "bin/pip").string(), "install", "--disable-pip-version-check"};
  if (isatty(STDERR_FILENO) != 1) {
    pip.emplace_back("--quiet");
  }
  pip.insert(pip.end(), packages.begin(), packages.end());
  must_succeed(pip, "it needs the Python package index (pypi.org) or a mirror set up for pip");
  const auto nvcc = nvcc_below(folder);
  if (!nvcc) {
    throw failure(exit_internal,
                  fmt::format("the packages hold no nvcc below '{}'", folder.string()));
  }
  write_file(folder / "complete", "");
  print_out(*nvcc + "\n");
  return exit_clean;
}

int print_path() {
  const auto nvcc = find_nvcc();
  if (nvcc) {
    print_out(*nvcc + "\n");
  } else {
    sim::print_error("tilesim: {}\n", nvcc_missing);
  }
  return nvcc ? exit_clean : exit_findings;
}

} // namespace

std::optional<std::string> find_nvcc() {
  if (const char* own = std::getenv("TILESIM_NVCC"); own != nullptr && *own != '\0') {
    if (auto path = find_program(own)) {
      return path;
    }
    throw failure(exit_unavailable,
                  fmt::format("TILESIM_NVCC names '{}', and there is no such program", own));
  }
  return installed_nvcc();
}

std::optional<std::string> find_libraries() {
  const auto set = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  std::vector<std::optional<std::string>> compilers;
  const std::string own = set("TILESIM_NVCC");
  const std::string home = set("CUDA_HOME");
  compilers.push_back(own.empty() ? std::nullopt : find_program(own));
  compilers.push_back(installed_nvcc());
  compilers.push_back(home.empty() ? std::nullopt : find_program(home + "/bin/nvcc"));
  compilers.push_back(find_program("nvcc"));
  for (const auto& nvcc : compilers) {
    std::error_code error;
    const auto program = fs::canonical(nvcc.value_or(""), error);
    const auto folder = program.parent_path().parent_path() / "include/cccl";
    if (!error && fs::is_directory(folder, error)) {
      return folder.string();
    }
  }
  return {};
}

int toolchain_command(const std::vector<std::string>& words) {
  CLI::App app("Installs NVIDIA's tile compiler, which needs no GPU to compile.", "toolchain");
  set_usage(app, "usage: tilesim toolchain install|path|remove");
  app.footer(
      "It comes from the Python package index into a virtual environment below tilesim's\n"
      "cache (about 600 MB); the system's Python stays as it is. TILESIM_NVCC names\n"
      "another nvcc. NVIDIA's licence applies to what is installed.\n"
      "\n"
      "examples:\n"
      "  tilesim toolchain install\n"
      "  $(tilesim toolchain path) --enable-tile -std=c++20 -arch=sm_90 saxpy.cu -o saxpy\n");
  const auto action = parse_action(app, words, {"install", "path", "remove"});
  if (action == "install") {
    return install();
  }
  if (action == "path") {
    return print_path();
  }
  fs::remove_all(toolchain_folder());
  return exit_clean;
}

} // namespace tilesim::tools
