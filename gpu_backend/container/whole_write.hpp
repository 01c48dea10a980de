// All of some bytes to a file or a pipe, whose calls take a part each and may be interrupted.
// Compiled into programs: throws nothing.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <cstddef>
#include <sys/types.h>
#include <unistd.h>

namespace tilesim::gpu {

/// `call(at, bytes)` until there is nothing left. 0, or the errno of the call that took nothing.
template <class Call>
int write_parts(const void* bytes, std::size_t count, const Call& call) {
  const auto* at = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t n = call(at, count);
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n <= 0) {
      return n < 0 ? errno : EIO;
    }
    at += n;
    count -= static_cast<std::size_t>(n);
  }
  return 0;
}

inline int write_whole(int file, const void* bytes, std::size_t count) {
  return write_parts(
      bytes, count, [file](const char* at, std::size_t left) { return ::write(file, at, left); });
}

} // namespace tilesim::gpu
