// Processes that one of ours has made.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <csignal>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilesim::sim {

/// Waits until it has ended, whatever signals come meanwhile. Its status, as waitpid gives it.
inline int status_at_end(pid_t child) noexcept {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

/// In a process that `parent` has just forked: it ends when that one does.
inline void end_with_parent(pid_t parent) noexcept {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) { // it has ended before
    _exit(0);
  }
}

} // namespace tilesim::sim
