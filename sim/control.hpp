// Who holds the reins of a run: asked before every operation, told when something ends.
//
// The stepper's agent (sim/step) is one. A run without it pays one branch per operation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace tilesim::sim {

struct allocation;
struct sim_thread;

class run_control {
public:
  run_control() = default;
  virtual ~run_control() = default;
  run_control(const run_control&) = delete;
  run_control& operator=(const run_control&) = delete;

  /// The running thread is about to begin an operation: one of the machine's, or an access that is
  /// none ("read", "write"). `site` is its return address; t.site still names the one before. Other
  /// threads may run before this returns; before an operation on memory the strategy decides that,
  /// and is asked here.
  virtual void before(sim_thread& t, const void* site, const char* operation, bool on_memory) = 0;

  /// A thread has come to its end.
  virtual void thread_ended(const sim_thread& t) = 0;

  /// The runtime has allocated memory for the program.
  virtual void allocated(const allocation& a) = 0;

  /// The program ends with this status; or (`how` is "stopped" or "interrupted") tilesim ends it.
  virtual void ending(const char* how, int status) = 0;
};

} // namespace tilesim::sim
