// Who holds the reins of a run: asked before every operation, and by signals. One at most.
//
// The stepper's agent (sim/step) is such. Who only looks on is a watcher (watcher.hpp).
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/step_kind.hpp"

#include <span>

namespace tilesim::sim {

struct sim_thread;

class run_control {
public:
  run_control() = default;
  virtual ~run_control() = default;
  run_control(const run_control&) = delete;
  run_control& operator=(const run_control&) = delete;

  /// The running thread is about to begin an operation: t.next_site, t.next_operation and
  /// t.next_kind tell which; t.site still names the one before. Other threads may run before this
  /// returns, and the strategy is asked here (run_desk::make_way), once for each operation.
  virtual void hold(sim_thread& t) = 0;

  /// Ctrl-C while host code runs that comes to no operation. `site`: a return address of it. Called
  /// in a signal handler, in no library's code. False: it ends the program, as ever.
  virtual bool interrupted_in_host(const void* /*site*/) { return false; }

  /// A signal is about to end the program, in the running thread or in host code. Called in its
  /// handler, anywhere: may not allocate. `frames`: return addresses, innermost first.
  virtual void dies(int /*signal*/, std::span<const void* const> /*frames*/) noexcept {}
};

} // namespace tilesim::sim
