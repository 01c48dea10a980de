// What the system has loaded: the program's and its libraries' code, constants and variables.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace tilesim::sim {

struct address_range {
  std::uintptr_t begin;
  std::uintptr_t end;

  [[nodiscard]] bool contains(std::uintptr_t at) const noexcept { return at >= begin && at < end; }
};

struct segment {
  std::uintptr_t begin;
  std::uintptr_t end;
  bool of_program; ///< the executable's, no library's
  bool writable;
  bool executable;

  [[nodiscard]] bool contains(std::uintptr_t at) const noexcept { return at >= begin && at < end; }
};

/// All that are loaded now, the program's first.
[[nodiscard]] std::vector<segment> loaded_segments();

/// What the dynamic linker fills and nobody writes after that, in a segment that says writable.
/// Empty where the program was linked without such a part.
[[nodiscard]] segment relocated_constants_of_program();

/// The program's thread_local variables, the calling OS thread's.
[[nodiscard]] segment thread_locals_of_program();

} // namespace tilesim::sim
