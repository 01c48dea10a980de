// Looks beside the program, and into the build tree that it was made in.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/install.hpp"

#include "tools/build/built_from.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <initializer_list>
#include <link.h>
#include <optional>
#include <unistd.h>

namespace tilesim::tools {
namespace fs = std::filesystem;
namespace {

std::string
first_with(std::string_view file, const char* variable, std::initializer_list<fs::path> folders) {
  if (const char* value = std::getenv(variable); value != nullptr && *value != '\0') {
    if (access((fs::path(value) / file).c_str(), R_OK) == 0) {
      return fs::absolute(value).string();
    }
    throw failure(exit_unavailable, fmt::format("{}={} holds no {}", variable, value, file));
  }
  for (const auto& folder : folders) {
    if (access((folder / file).c_str(), R_OK) == 0) {
      return folder.lexically_normal().string();
    }
  }
  throw failure(
      exit_unavailable,
      fmt::format("{} is not beside this program; build or install all of tilesim, or set "
                  "{}",
                  file,
                  variable));
}

/// The linker's note of what is in a program or library, if these are its notes.
std::optional<std::string> build_id_note(const unsigned char* notes, std::size_t size) {
  const auto padded = [](std::size_t n) { return (n + 3) & ~std::size_t{3}; };
  for (std::size_t at = 0; at + sizeof(ElfW(Nhdr)) <= size;) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes + at, sizeof note);
    const std::size_t owner = at + sizeof note;
    const std::size_t content = owner + padded(note.n_namesz);
    if (content + note.n_descsz > size) {
      break;
    }
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        std::memcmp(notes + owner, "GNU", 4) == 0) {
      std::string text;
      for (std::size_t i = 0; i < note.n_descsz; ++i) {
        text += fmt::format("{:02x}", notes[content + i]);
      }
      return text;
    }
    at = content + padded(note.n_descsz);
  }
  return std::nullopt;
}

/// Of the program or library that this code is in. To hash a hundred megabytes takes a tenth of a
/// second, so that is for linkers that leave no note.
std::optional<std::string> own_build_id() {
  struct search {
    std::uintptr_t inside = 0;
    std::optional<std::string> found = {};
  } wanted{reinterpret_cast<std::uintptr_t>(&own_build_id)};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* argument) {
        auto& s = *static_cast<search*>(argument);
        bool is_it = false;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& h = info->dlpi_phdr[i];
          is_it = is_it ||
                  (h.p_type == PT_LOAD && s.inside - (info->dlpi_addr + h.p_vaddr) < h.p_memsz);
        }
        for (int i = 0; is_it && !s.found && i < info->dlpi_phnum; ++i) {
          const auto& h = info->dlpi_phdr[i];
          if (h.p_type == PT_NOTE) {
            s.found = build_id_note(
                reinterpret_cast<const unsigned char*>(info->dlpi_addr + h.p_vaddr), h.p_memsz);
          }
        }
        return is_it ? 1 : 0;
      },
      &wanted);
  return wanted.found;
}

} // namespace

installation find_installation() {
  const auto program = fs::read_symlink("/proc/self/exe");
  const auto prefix = program.parent_path().parent_path();
  installation found;
  found.api_folder = first_with(
      "cuda_runtime.h", "TILESIM_API_DIR", {prefix / "include/tilesim-cuda", source_api_folder});
  found.library_folder = first_with(
      "libtilesim.so", "TILESIM_LIB_DIR", {prefix / install_library_folder, prefix / "lib"});
  const auto id = own_build_id();
  found.build_id = id ? *id : hash_file(program.string()).value_or("unknown");
  return found;
}

std::string find_recorder() {
  const auto prefix = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  return first_with("gpu_backend/recorder/recorder.cpp",
                    "TILESIM_RECORDER_DIR",
                    {prefix / "share/tilesim/recorder", fs::path(source_api_folder) / ".."});
}

} // namespace tilesim::tools
