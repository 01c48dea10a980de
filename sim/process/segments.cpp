// Asking the dynamic linker what it has loaded.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/process/segments.hpp"

#include <cstddef>
#include <link.h>

namespace tilesim::sim {

std::vector<segment> loaded_segments() {
  struct search {
    std::vector<segment> found;
    bool in_program = true; // the first entry is the program
  } s;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        auto& [found, in_program] = *static_cast<search*>(out);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& header = info->dlpi_phdr[i];
          if (header.p_type == PT_LOAD) {
            const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
            found.push_back({.begin = begin,
                             .end = begin + header.p_memsz,
                             .of_program = in_program,
                             .writable = (header.p_flags & PF_W) != 0,
                             .executable = (header.p_flags & PF_X) != 0});
          }
        }
        in_program = false;
        return 0;
      },
      &s);
  return s.found;
}

segment relocated_constants_of_program() {
  segment found{.begin = 0, .end = 0, .of_program = true, .writable = false, .executable = false};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& header = info->dlpi_phdr[i];
          if (header.p_type == PT_GNU_RELRO) {
            auto& s = *static_cast<segment*>(out);
            s.begin = info->dlpi_addr + header.p_vaddr;
            s.end = s.begin + header.p_memsz;
          }
        }
        return 1; // the first entry is the program
      },
      &found);
  return found;
}

segment thread_locals_of_program() {
  segment found{.begin = 0, .end = 0, .of_program = true, .writable = true, .executable = false};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        const auto begin = reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data);
        for (int i = 0; begin != 0 && i < info->dlpi_phnum; ++i) {
          if (info->dlpi_phdr[i].p_type == PT_TLS) {
            auto& s = *static_cast<segment*>(out);
            s.begin = begin;
            s.end = begin + info->dlpi_phdr[i].p_memsz;
          }
        }
        return 1; // the first entry is the program
      },
      &found);
  return found;
}

} // namespace tilesim::sim
