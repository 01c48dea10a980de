// The frame of an access: what is looked at of a simulated thread's stack where it polls.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace tilesim::sim {

struct sim_thread;

/// The frame that the site of an access is in, as it was found. Several look at one access (the
/// thread's own search for rounds, and watchers), and until it is over the frame is as it was.
struct frame_at_access {
  // Whose, which of the run's, and where.
  const sim_thread* thread = nullptr;
  std::uint64_t access = 0;
  const void* site = nullptr;

  std::uintptr_t stack_pointer = 0;          ///< 0: not found
  std::array<std::uint64_t, 11> registers{}; ///< that calls preserve
  std::uint64_t walks = 0;                   ///< so often frames were walked through
};

} // namespace tilesim::sim
