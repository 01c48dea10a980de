// JSON objects over a socket, one a line: both ends of the line between the stepper and the
// program.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/json_text.hpp"
#include "sim/contract/whole_bytes.hpp"

#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

namespace tilesim::sim::step {

/// False if the other side has gone.
inline bool send_line(int socket, const nlohmann::json& message) {
  // Text of the program's may be in any encoding: what is no UTF-8 is replaced.
  const std::string line = json_text(message) + "\n";
  return by_parts(line.data(), line.size(), [socket](const char* at, std::size_t left) {
    return ::send(socket, at, left, MSG_NOSIGNAL);
  });
}

/// The next message; nothing when the other side has gone. What came behind it stays in `buffered`.
inline std::optional<nlohmann::json> receive_line(int socket, std::string& buffered) {
  std::array<char, 65536> piece; // NOLINT: read() fills it
  for (;;) {
    const std::size_t end = buffered.find('\n');
    if (end != std::string::npos) {
      auto message = read_json(buffered.substr(0, end));
      buffered.erase(0, end + 1);
      return message;
    }
    const ssize_t n = read(socket, piece.data(), piece.size());
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n <= 0) {
      return std::nullopt;
    }
    buffered.append(piece.data(), static_cast<std::size_t>(n));
  }
}

} // namespace tilesim::sim::step
