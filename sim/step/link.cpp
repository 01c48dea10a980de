// Lines of JSON over a socket.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/step/link.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace tilesim::sim::step {

link::link(std::string path)
    : path_(std::move(path)) {
  connect();
}

link::~link() {
  close(socket_);
}

void link::connect_anew() {
  close(socket_);
  buffered_.clear();
  connect();
}

void link::connect() {
  socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // An abstract name: it begins with a zero byte, and ends where its length says.
  path_.copy(address.sun_path + 1, sizeof(address.sun_path) - 1);
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + path_.size());
  if (socket_ < 0 || ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), length) != 0) {
    _exit(1);
  }
}

void link::send(const nlohmann::json& message) {
  // Text of the program's may be in any encoding: what is no UTF-8 is replaced.
  const std::string line =
      message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  std::size_t sent = 0;
  while (sent < line.size()) {
    const ssize_t n = ::send(socket_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n <= 0) {
      _exit(1);
    }
    sent += static_cast<std::size_t>(n);
  }
}

std::optional<nlohmann::json> link::receive() {
  std::array<char, 65536> piece; // NOLINT: read() fills it
  for (;;) {
    const std::size_t end = buffered_.find('\n');
    if (end != std::string::npos) {
      auto message = nlohmann::json::parse(buffered_.substr(0, end), nullptr, false);
      buffered_.erase(0, end + 1);
      return message;
    }
    const ssize_t n = read(socket_, piece.data(), piece.size());
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n <= 0) {
      return std::nullopt;
    }
    buffered_.append(piece.data(), static_cast<std::size_t>(n));
  }
}

} // namespace tilesim::sim::step
