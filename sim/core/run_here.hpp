// Runs in the caller's own process: one after the other, each with a context of its own.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/ends.hpp"

#include <functional>
#include <memory>

namespace tilesim::sim {

class context;

/// A series of runs in this process, by the thread that makes it. What they need of the process,
/// signal handlers and a clock, is kept from one to the next; while it lives, signals that end a
/// program are tilesim's in kernels, and passed on in host code.
class runs_here {
public:
  runs_here();
  ~runs_here();
  runs_here(const runs_here&) = delete;
  runs_here& operator=(const runs_here&) = delete;

  /// Runs `body`, which returns an exit status, as a program of its own: CUDA calls, kernels and
  /// hooks use `c`, a new context, until it is over. A finding that stops, a limit, Ctrl-C, exit()
  /// and abort() in the calling thread end the run and come back here; the frames that they leave
  /// are not unwound, so what these own is lost, and locks of the program's that they hold stay
  /// held. An exception that leaves the body ends the run, too, and goes on to the caller. The
  /// thread's signal mask is then what it was when the series began.
  ///
  /// What is found is in c.found afterwards; nothing else can be done with the context but to
  /// destroy it. The program's variables keep what the body has given them. Other threads of the
  /// host's have to be done when the body is: a stop in one of them ends the process, and so does a
  /// signal of host code's own other than SIGABRT.
  run_outcome run(context& c, const std::function<int()>& body);

private:
  struct kept;
  std::unique_ptr<kept> kept_;
};

/// The code of a run has come to its end with this status: what only then can be judged is, and all
/// is told. Gives the status that the run has with it.
[[nodiscard]] int end_run(context& c, int status);

} // namespace tilesim::sim
