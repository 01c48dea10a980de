// What the stepped program writes for the stepper into a page of memory that both have: it is there
// however the program ends.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tilesim::sim::step {

/// A signal that ends the program, noted by its handler: without allocating.
struct crash_note {
  static constexpr std::size_t most_frames = 32;
  static constexpr std::size_t most_text = 256;

  volatile std::int32_t signal = 0; ///< 0: none has come
  std::uint32_t count = 0;          ///< of frames
  /// Return addresses of the user's code, innermost first; no two runs of a session differ in them.
  std::array<std::uintptr_t, most_frames> frames{};
  /// "tile block (0,0,0) of k", ended by a zero; empty in host code.
  std::array<char, most_text> block{};
};

struct shared_page {
  volatile std::uint64_t position = 0; ///< operations that have begun
  crash_note crash;
};

} // namespace tilesim::sim::step
