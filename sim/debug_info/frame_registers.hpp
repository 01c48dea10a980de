// A frame of a stopped kernel or of the host, as its variables are found by it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace tilesim::sim::step {

/// What is needed to find a frame's variables: taken by unwinding while the fiber runs.
struct frame_registers {
  const void* pc = nullptr; ///< return address into the frame's function
  std::uintptr_t cfa = 0;   ///< canonical frame address: rsp before the call that made the frame
  /// Values of the registers by DWARF number that unwinding could restore (rbx, rbp, rsp, r12 to
  /// r15).
  std::vector<std::pair<int, std::uintptr_t>> registers = {};
};

} // namespace tilesim::sim::step
