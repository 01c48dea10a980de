// Who holds the reins of a run: asked before every operation, told when something ends.
//
// The stepper's agent (sim/step) and the tracer (sim/trace) are such. A run without it pays one
// branch per operation. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tilesim::sim {

enum class access_kind : std::uint8_t;
struct allocation;
struct sim_thread;

/// What kind of operation a thread is about to begin.
enum class step_kind : std::uint8_t {
  compute, ///< one of the machine's that accesses no memory
  memory,  ///< one of the machine's that does
  raw,     ///< an access that is none of the machine's: `p[i]`, an atomic of `__global__` code
};

class run_control {
public:
  run_control() = default;
  virtual ~run_control() = default;
  run_control(const run_control&) = delete;
  run_control& operator=(const run_control&) = delete;

  /// The running thread is about to begin an operation. `site` is its return address; t.site still
  /// names the one before. Other threads may run before this returns; before an access of memory
  /// the strategy decides that, and is asked here.
  virtual void before(sim_thread& t, const void* site, const char* operation, step_kind kind) = 0;

  /// Where a raw access of the running thread stands, which returns to `site`: asked before it.
  virtual const void* place_of(const void* site) { return site; }

  /// A raw access of bytes that may be accessed is about to be performed by the running thread.
  virtual void accesses(std::uintptr_t /*address*/, std::size_t /*bytes*/) {}

  /// The running thread is about to access memory that it may not: the run ends. `bytes`: 0 if
  /// nobody knows.
  virtual void refused(std::uintptr_t /*address*/, unsigned /*bytes*/, access_kind /*kind*/) {}

  /// The operation under way leaves this element of its result unspecified.
  virtual void left_unspecified(std::size_t /*element*/) {}

  /// A thread has come to its end.
  virtual void thread_ended(const sim_thread& t) = 0;

  /// The runtime has allocated memory for the program.
  virtual void allocated(const allocation& a) = 0;

  /// The program ends with this status; or (`how` is "stopped" or "interrupted") tilesim ends it.
  virtual void ending(const char* how, int status) = 0;

  /// Ctrl-C while host code runs that comes to no operation. `site`: a return address of it. Called
  /// in a signal handler, in no library's code. False: it ends the program, as ever.
  virtual bool interrupted_in_host(const void* /*site*/) { return false; }

  /// A signal is about to end the program, in the running thread or in host code. Called in its
  /// handler, anywhere: may not allocate. `frames`: return addresses, innermost first.
  virtual void dies(int /*signal*/, std::span<const void* const> /*frames*/) noexcept {}
};

} // namespace tilesim::sim
