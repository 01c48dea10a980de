// Ends: what follows when a run is over before its code is.
//
// A finding that stops, a deadlock, a limit, Ctrl-C, exit() and abort() end a run, not the process:
// whoever began the run has said what then follows. The process of a program goes with its run; who
// runs code in his own process is given back control (run_here.hpp). Frames of the code that ran
// are left without being unwound: kernels and the machine's functions are noexcept.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/watcher.hpp"

namespace tilesim::sim {

/// How a run came to its end.
struct run_outcome {
  run_end how = run_end::ended;
  /// As of a process that was made for it: what the program returned or gave to exit(), 101 if a
  /// finding stopped it, 102 if it ended with 0 although there are findings, 130 after Ctrl-C,
  /// 128 + signal.
  int status = 0;
  int signal = 0; ///< SIGABRT: the program called abort(); 0: none
};

class end_policy {
public:
  end_policy() = default;
  end_policy(const end_policy&) = delete;
  end_policy& operator=(const end_policy&) = delete;

  /// The run is over, and has been reported. Called on the host's stack, or in a handler of one of
  /// its signals.
  [[noreturn]] virtual void leave(const run_outcome& outcome) noexcept = 0;

  /// True if the process outlives the run: a kernel's stack is left first, and host code that ends
  /// the process ends the run.
  [[nodiscard]] virtual bool process_goes_on() const noexcept { return false; }

protected:
  ~end_policy() = default; // who made one destroys it
};

/// The process ends.
[[nodiscard]] end_policy& process_ends() noexcept;

} // namespace tilesim::sim
