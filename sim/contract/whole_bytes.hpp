// All of some bytes through a file or a socket, whose calls take a part each and may be
// interrupted.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <cstddef>
#include <string_view>
#include <sys/types.h>
#include <unistd.h>

namespace tilesim::sim {

/// `call(at, bytes)` until there is nothing left. False: a call took nothing; errno says why if it
/// failed, and the other side has gone if it returned 0.
template <class Byte, class Call>
[[nodiscard]] bool by_parts(Byte* at, std::size_t bytes, const Call& call) {
  while (bytes != 0) {
    const ssize_t n = call(at, bytes);
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n <= 0) {
      return false;
    }
    at += n;
    bytes -= static_cast<std::size_t>(n);
  }
  return true;
}

/// False: not all could be written; errno says why.
[[nodiscard]] inline bool write_whole(int file, std::string_view bytes) {
  return by_parts(bytes.data(), bytes.size(), [file](const char* at, std::size_t left) {
    return ::write(file, at, left);
  });
}

} // namespace tilesim::sim
