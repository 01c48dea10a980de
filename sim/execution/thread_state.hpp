// A simulated thread's own state at a poll: what, besides memory, decides how it goes on.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/spin.hpp"
#include "sim/execution/frame_at_access.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace tilesim::sim {

struct sim_thread;

/// The running thread, in an operation whose call returns to `site`: the part of its stack that is
/// its own code's, the registers that calls preserve, and the launch's copy of the arguments.
class state_at_poll final : public own_state {
public:
  /// `forgotten`: numbers that are left out of it where they lie, as results that nobody uses do.
  state_at_poll(const sim_thread& t,
                const void* site,
                std::span<const std::uint64_t> forgotten = {})
      : thread_(t)
      , site_(site)
      , forgotten_(forgotten) {}

  [[nodiscard]] std::optional<std::uint64_t> hash() const override;

private:
  [[nodiscard]] const frame_at_access& frame() const;

  const sim_thread& thread_;
  const void* site_;
  std::span<const std::uint64_t> forgotten_;
};

/// Records what the running thread has read and changed nothing by, and puts it to sleep if it
/// polls.
void polled(sim_thread& t, const poll& p);

/// Memory holds something else now, by an operation of the running thread.
void progressed(sim_thread& t) noexcept;

} // namespace tilesim::sim
