// Processes that one of ours has made.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <sys/types.h>
#include <sys/wait.h>

namespace tilesim::sim {

/// Waits until it has ended, whatever signals come meanwhile. Its status, as waitpid gives it.
inline int status_at_end(pid_t child) noexcept {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

} // namespace tilesim::sim
