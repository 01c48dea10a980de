// Looks beside the program, and into the build tree that it was made in.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/install.hpp"

#include "tools/failure.hpp"
#include "tools/files.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <unistd.h>

namespace tilesim::driver {
namespace fs = std::filesystem;
namespace {

std::string
first_with(std::string_view file, const char* variable, std::initializer_list<fs::path> folders) {
  if (const char* value = std::getenv(variable); value != nullptr && *value != '\0') {
    if (access((fs::path(value) / file).c_str(), R_OK) == 0)
      return fs::absolute(value).string();
    throw failure(exit_unavailable, fmt::format("{}={} holds no {}", variable, value, file));
  }
  for (const auto& folder : folders)
    if (access((folder / file).c_str(), R_OK) == 0)
      return folder.lexically_normal().string();
  throw failure(
      exit_unavailable,
      fmt::format("{} is not beside this program; build or install all of tilesim, or set "
                  "{}",
                  file,
                  variable));
}

} // namespace

installation find_installation() {
  const auto program = fs::read_symlink("/proc/self/exe");
  const auto prefix = program.parent_path().parent_path();
  installation found;
  found.api_folder = first_with("cuda_runtime.h",
                                "TILESIM_API_DIR",
                                {prefix / "include/tilesim-cuda", TILESIM_SOURCE_API_DIR});
  found.library_folder = first_with(
      "libtilesim.so", "TILESIM_LIB_DIR", {prefix / TILESIM_INSTALL_LIBDIR, prefix / "lib"});
  found.build_id = hash_file(program.string()).value_or("unknown");
  return found;
}

} // namespace tilesim::driver
