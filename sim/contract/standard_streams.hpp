// Standard streams that are closed when a program begins.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace tilesim::sim {

/// Where the stream is closed, it becomes one that cannot be read or written: a file that is opened
/// later is never taken for it. `how`: of open(), the access that nobody has, and O_CLOEXEC where
/// it is to be closed for programs that are started, as it was.
inline void fill_if_closed(int stream, int how) noexcept {
  if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) { // NOLINT: fcntl's signature
    return;
  }
  const int nobody = open("/dev/null", how); // NOLINT: open's signature
  if (nobody >= 0 && nobody != stream) {
    dup3(nobody, stream, how & O_CLOEXEC);
    close(nobody);
  }
}

} // namespace tilesim::sim
