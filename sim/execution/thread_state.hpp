// A simulated thread's own state at a poll: what, besides memory, decides how it goes on.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/spin.hpp"

namespace tilesim::sim {

struct sim_thread;

/// The running thread, in an operation whose call returns to `site`: the part of its stack that is
/// its own code's, the registers that calls preserve, and the launch's copy of the arguments.
class state_at_poll final : public own_state {
public:
  state_at_poll(const sim_thread& t, const void* site)
      : thread_(t)
      , site_(site) {}

  [[nodiscard]] std::optional<std::uint64_t> hash() const override;

private:
  const sim_thread& thread_;
  const void* site_;
};

/// Records what the running thread has read and changed nothing by, and puts it to sleep if it
/// polls.
void polled(sim_thread& t, poll p);

/// Memory holds something else now, by an operation of the running thread.
void progressed(sim_thread& t) noexcept;

} // namespace tilesim::sim
